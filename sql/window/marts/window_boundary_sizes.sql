-- question: what does a compaction cost in cache, money and time, at each size of context?
-- grain:    one row per band of 50,000 tokens before, and per warm or cold cache after
-- key:      context_band, is_cache_expired
-- reads:    window_boundaries
with

boundaries as (

    select
        *,
        coalesce(context_before, tokens_before) // 50000 * 50000 as context_band,
        rebuild_cause = 'ttl' as is_cache_expired

    from window_boundaries

    -- Without a turn before and after there is nothing to compare.
    where not is_copy and context_before > 0 and context_after > 0

),

sizes as (

    select
        context_band,
        is_cache_expired,
        count(*) as boundaries,
        count(*) filter (where cost_is_estimated) as costs_estimated,
        median(cache_read_before) as cache_read_before,
        median(cache_read_after) as cache_read_after,
        median(cache_reads_after[2]) as cache_read_second,
        median(cache_reads_after[3]) as cache_read_third,
        median(cache_write_after) as cache_write_after,
        median(context_after) as context_after,
        median(rebuild_turns) as rebuild_turns,
        median(rebuild_write_tokens) as rebuild_write_tokens,
        median(rebuild_write_tokens + rebuild_input_tokens) as rebuild_tokens,
        median(cost_usd) as cost_usd,
        median(rebuild_cost_usd) as rebuild_cost_usd,
        median(nullif(seconds, 0)) as seconds,
        count(*) filter (where seconds > 0) as seconds_known,
        median(seconds_waited) filter (where wait_is_estimated) as seconds_estimated,
        count(*) filter (where wait_is_estimated) as waits_estimated,
        median(payback_turns) as payback_turns,
        count(*) filter (where payback_turns is null and cost_usd is not null)
            as boundaries_never_paid

    from boundaries

    group by context_band, is_cache_expired

)

select * from sizes
