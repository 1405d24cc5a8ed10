-- question: what would each compaction's call cost, and what does a turn cost less since?
-- grain:    one row per boundary of a file; costs are null where the model has no price
-- key:      file_number, boundary_number
-- reads:    int_window_boundaries_neighboured, raw_window_prices
with

sized as (

    select
        int_window_boundaries_neighboured.*,
        coalesce(tokens_before, context_before) as call_prompt_tokens,
        -- About four bytes a token, in the record that holds the summary.
        coalesce(summary_bytes // 4, tokens_after, 0) as call_output_tokens,
        -- Idle for longer than the cache keeps: the call had to read everything anew.
        coalesce(
            seconds_since_turn - coalesce(seconds, 0)
            > case when is_cached_1h then 3600 else 300 end,
            false
        ) as is_call_cold

    from int_window_boundaries_neighboured

),

with_prices as (

    select
        sized.*,
        prices.input_usd,
        prices.output_usd,
        prices.cache_read_usd,
        prices.cache_write_5m_usd,
        prices.cache_write_1h_usd

    from sized

    left join raw_window_prices as prices
        on
            sized.model_before = prices.model
            and sized.speed_before = prices.speed
            and coalesce(sized.compacted_at, timestamp '9998-01-01') >= prices.valid_from
            and coalesce(sized.compacted_at, timestamp '9998-01-01') < prices.valid_until
            and sized.call_prompt_tokens > prices.context_above
            and sized.call_prompt_tokens <= prices.context_up_to

),

costed as (

    select
        with_prices.*,
        case
            when is_call_cold then (
                call_prompt_tokens
                * case when is_cached_1h then cache_write_1h_usd else cache_write_5m_usd end
                + call_output_tokens * output_usd
            ) / 1e6
            else (
                least(call_prompt_tokens, context_before) * cache_read_usd
                + greatest(call_prompt_tokens - context_before, 0) * input_usd
                + call_output_tokens * output_usd
            ) / 1e6
        end as estimated_call_usd,
        -- Written while rebuilding; without the boundary it would have been read.
        (
            rebuild_write_5m_tokens * (cache_write_5m_usd - cache_read_usd)
            + rebuild_write_1h_tokens * (cache_write_1h_usd - cache_read_usd)
            + rebuild_input_tokens * (input_usd - cache_read_usd)
        ) / 1e6 as rebuild_cost_usd,
        (context_before - context_after) * cache_read_usd / 1e6 as saving_per_turn_usd

    from with_prices

)

select * exclude (
    input_usd, output_usd, cache_read_usd, cache_write_5m_usd, cache_write_1h_usd
)

from costed
