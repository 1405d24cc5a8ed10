-- question: which natural compactions belong to the present observation period?
-- grain:    one row per natural compaction of an interface's present period
-- key:      compaction_id
-- reads:    compactions, observation_periods
-- built:    as view
with

present as (

    select compactions.* from compactions

    inner join observation_periods as periods
        on
            compactions.interface = periods.interface
            and compactions.guard_fingerprint = periods.guard_fingerprint

    where periods.is_current and compactions.is_natural

)

select * from present
