-- question: what did each compaction do to context, cache, money and time?
-- grain:    one row per boundary of a file; is_copy marks those that another file has too
-- key:      file_number, boundary_number
-- reads:    int_window_boundaries_costed, stg_window_turns, window_turns
-- long:     one answer with many parts, each a column
with

-- The call may be counted in another file that holds the same response.
calls as (

    select
        stg_window_turns.file_number,
        stg_window_turns.event_key as call_key,
        any_value(window_turns.cost_usd) as logged_call_usd

    from stg_window_turns

    inner join stg_window_turns as copies
        on
            stg_window_turns.agent = copies.agent
            and stg_window_turns.response_key = copies.response_key

    inner join window_turns
        on
            copies.file_number = window_turns.file_number
            and copies.event_key = window_turns.event_key

    where stg_window_turns.is_compaction_call and copies.is_compaction_call

    group by all

),

judged as (

    select
        boundaries.*,
        calls.call_key is null as cost_is_estimated,
        case
            when calls.call_key is null then boundaries.estimated_call_usd
            else calls.logged_call_usd
        end as cost_usd,
        boundaries.context_before is not null as has_turn_before,
        boundaries.cache_read_after = 0 as is_cache_cold,
        -- Kept nearly everything: such a compaction buys little.
        boundaries.context_after
        > 0.7 * coalesce(boundaries.tokens_before, boundaries.context_before) as is_shallow,
        case
            when boundaries.context_after is null then null
            when
                boundaries.seconds_to_turn
                > case when boundaries.is_cached_1h then 3600 else 300 end
                then 'ttl'
            else 'compaction'
        end as rebuild_cause,
        boundaries.boundary_number > 1 and boundaries.turns_since_boundary <= 3 as is_quick

    from int_window_boundaries_costed as boundaries

    left join calls
        on
            boundaries.file_number = calls.file_number
            and boundaries.call_key = calls.call_key

),

-- A run of boundaries with at most three turns between them is one episode, if three long.
runs as (

    select
        judged.*,
        sum((not is_quick)::integer) over (
            partition by file_number order by boundary_number
        ) as run_number

    from judged

),

thrashed as (

    select
        runs.*,
        case
            when count(*) over (partition by file_number, run_number) >= 3 then run_number
        end as thrash_episode

    from runs

)

select
    file_number,
    boundary_number,
    boundary_key,
    agent,
    is_copy,
    line_number,
    compacted_at,
    trigger,
    agent_version,
    model_before,
    model_after,
    tokens_before,
    tokens_after,
    context_before,
    context_after,
    call_output_tokens,
    cache_read_before,
    cache_read_after,
    cache_reads_after,
    cache_write_after,
    rebuild_turns,
    rebuild_write_5m_tokens + rebuild_write_1h_tokens as rebuild_write_tokens,
    rebuild_input_tokens,
    rebuild_cause,
    seconds,
    seconds_evidence,
    seconds_since_turn,
    seconds_to_turn,
    -- Where nothing tells how long it took: since the turn before, at most five minutes.
    case
        when seconds > 0 then seconds
        when seconds_since_turn >= 0 then least(seconds_since_turn, 300)
    end as seconds_waited,
    coalesce(seconds, 0) = 0 and coalesce(seconds_since_turn, -1) >= 0 as wait_is_estimated,
    turns_since_boundary,
    has_turn_before,
    is_cache_cold,
    is_call_cold,
    is_shallow,
    thrash_episode,
    cost_usd,
    cost_is_estimated,
    rebuild_cost_usd,
    saving_per_turn_usd,
    (cost_usd + rebuild_cost_usd) / nullif(greatest(saving_per_turn_usd, 0), 0)
        as payback_turns

from thrashed
