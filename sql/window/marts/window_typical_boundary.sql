-- question: what does a compaction typically cost in money and time, and when has it paid off?
-- grain:    one row per study; medians over the compactions that a turn precedes and follows
-- key:      boundaries
-- reads:    window_boundaries
with

boundaries as (

    select
        *,
        coalesce(context_before > 0 and context_after > 0, false) as has_neighbours

    from window_boundaries

    where not is_copy

),

typical as (

    select
        count(*) as boundaries,
        count(*) filter (where has_neighbours) as boundaries_between_turns,
        count(*) filter (where cost_is_estimated and cost_usd is not null) as costs_estimated,
        count(*) filter (where cost_usd is null) as costs_unknown,
        count(*) filter (where wait_is_estimated) as waits_estimated,
        sum(cost_usd) as calls_usd,
        median(cost_usd) filter (where has_neighbours) as call_usd,
        median(rebuild_cost_usd) filter (where has_neighbours) as rebuild_usd,
        median(seconds_waited) filter (where has_neighbours) as seconds_waited,
        median(payback_turns) filter (where has_neighbours) as payback_turns

    from boundaries

)

select * from typical
