-- question: which rows and compactions of the present periods break the arithmetic of the outcomes?
-- grain:    one row per finding and offending row, compaction or checkpoint
-- key:      finding, offending_key
-- reads:    compactions_flagged, present_compactions, observation_periods, int_checkpoints_repeated
with

of_threads as (

    select
        flagged.finding,
        flagged.offending_key,
        flagged.interface,
        flagged.recorded_at

    from compactions_flagged as flagged

    inner join observation_periods as periods
        on
            flagged.interface = periods.interface
            and flagged.guard_fingerprint = periods.guard_fingerprint

    where periods.is_current and flagged.is_natural

),

counted_not_eligible as (

    select
        'counted_not_eligible' as finding,
        compaction_id as offending_key,
        interface,
        recorded_at

    from present_compactions

    where is_counted and outcome not in ('injected', 'missed', 'duplicated')

),

checkpoints_shared as (

    select
        'checkpoints_shared' as finding,
        checkpoint_hash as offending_key,
        interface,
        min(recorded_at) as recorded_at

    from present_compactions

    where checkpoint_hash in (select checkpoint_hash from int_checkpoints_repeated)

    group by checkpoint_hash, interface

    having count(*) > 1

),

found as (

    select * from of_threads

    union all by name

    select * from counted_not_eligible

    union all by name

    select * from checkpoints_shared

)

select * from found
