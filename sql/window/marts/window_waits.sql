-- question: how is it known how long compactions took, and how many waits are estimates?
-- grain:    one row per agent and kind of evidence, or reason why there is none
-- key:      agent, seconds_evidence
-- reads:    window_boundaries
with

waits as (

    select
        agent,
        seconds_evidence,
        min(compacted_at) as first_at,
        count(*) as boundaries,
        count(*) filter (where wait_is_estimated) as estimated,
        count(*) filter (where seconds_waited is null) as unknown,
        coalesce(sum(seconds_waited), 0) as seconds_waited

    from window_boundaries

    where not is_copy

    group by agent, seconds_evidence

)

select * from waits
