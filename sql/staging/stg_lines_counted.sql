-- question: how many hook runs of each kind were accepted, day by day?
-- grain:    one row per kind of hook run and day (UTC)
-- key:      interface, agent, guard_fingerprint, event, origin, subagent, recorded_date
-- reads:    stg_audit_lines
with

counted as (

    select
        interface,
        agent,
        guard_fingerprint,
        event,
        origin,
        subagent,
        recorded_at::date as recorded_date,
        count(*) as count_lines,
        min(recorded_at) as first_at,
        max(recorded_at) as newest_at

    from stg_audit_lines

    where fate = 'accepted'

    group by all

)

select * from counted
