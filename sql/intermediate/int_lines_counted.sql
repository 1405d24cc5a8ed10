-- question: how many hook runs of each kind were accepted, day by day?
-- grain:    one row per kind of hook run and day (UTC)
-- key:      interface, agent, guard_fingerprint, event, origin, subagent, recorded_date
-- reads:    stg_audit_lines, int_days_touched
-- built:    by day
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

    where
        fate = 'accepted'
        and recorded_at::date in (select recorded_date from int_days_touched)
        -- What lies outside these bounds is not even read.
        and recorded_at >= (select min(recorded_date) from int_days_touched)
        and recorded_at < (select max(recorded_date) + 1 from int_days_touched)

    group by all

)

select * from counted
