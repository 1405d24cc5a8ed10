-- question: which compactions neither passed nor failed, and what shows why?
-- grain:    one row per interface, outcome, detail and evidence
-- key:      interface, outcome, detail, evidence
-- reads:    compactions_counted, observation_periods
with

excluded as (

    select
        counted.interface,
        counted.outcome,
        counted.detail,
        counted.evidence,
        sum(counted.count_compactions)::bigint as count_compactions

    from compactions_counted as counted

    inner join observation_periods as periods
        on
            counted.interface = periods.interface
            and counted.guard_fingerprint = periods.guard_fingerprint

    where periods.is_current and counted.is_natural and not counted.is_eligible

    group by counted.interface, counted.outcome, counted.detail, counted.evidence

)

select * from excluded
