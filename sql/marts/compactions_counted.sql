-- question: how many compactions of each kind were there, day by day?
-- grain:    one row per kind of compaction and day (UTC) on which such began
-- key:      interface, guard_fingerprint, agent_version, trigger, delivery, outcome, detail, evidence, is_natural, is_unresolved, is_witnessed, is_eligible, is_counted, recorded_date
-- reads:    compactions
-- built:    as temporary table
with

counted as (

    select
        interface,
        guard_fingerprint,
        -- Empty where it is not known: a key has no nulls.
        coalesce(agent_version, '') as agent_version,
        coalesce(trigger, '') as trigger,
        coalesce(delivery, '') as delivery,
        outcome,
        detail,
        evidence,
        is_natural,
        is_unresolved,
        is_witnessed,
        is_eligible,
        is_counted,
        recorded_at::date as recorded_date,
        count(*) as count_compactions

    from compactions

    group by all

)

select * from counted
