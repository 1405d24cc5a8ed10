-- question: what became of each compaction, and what shows it?
-- grain:    one row per compaction
-- key:      compaction_id
-- reads:    int_compactions_announced, int_compactions_uncovered, raw_run_parameters
-- built:    as view
with

compactions as (

    select * from int_compactions_announced

    union all by name

    select * from int_compactions_uncovered

),

judged as (

    select
        compactions.* exclude (thread),
        compactions.outcome in ('injected', 'missed', 'duplicated') as is_eligible,
        -- Only natural triggers can acquit; a null trigger is nobody's.
        compactions.outcome in ('injected', 'missed', 'duplicated')
        and compactions.is_natural
        and coalesce(list_contains(raw_run_parameters.natural_triggers, compactions.trigger), false)
            as is_counted

    from compactions

    cross join raw_run_parameters

)

select * from judged
