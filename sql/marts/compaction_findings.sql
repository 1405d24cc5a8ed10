-- question: which rows and compactions of the present periods break the arithmetic of the outcomes?
-- grain:    one row per finding and offending row, compaction or checkpoint
-- key:      finding, offending_key
-- reads:    stg_audit_rows, observation_periods, compactions, present_compactions, int_session_starts_assigned
-- long:     rows, compactions and checkpoints are flagged apart before they become one list
with

-- Taken from the rows themselves: another path than the one compactions come on.
present_rows as (

    select
        stg_audit_rows.*,
        stg_audit_rows.event = 'pre_compact'
        and stg_audit_rows.outcome in ('saved', 'empty', 'failed') as is_announcement,
        stg_audit_rows.event = 'session_start' and stg_audit_rows.outcome = 'injected'
            as is_injection

    from stg_audit_rows

    inner join observation_periods as periods
        on
            stg_audit_rows.interface = periods.interface
            and stg_audit_rows.guard_fingerprint = periods.guard_fingerprint

    where periods.is_current and stg_audit_rows.is_natural

),

rows_flagged as (

    select
        present_rows.interface,
        present_rows.event_id as offending_key,
        present_rows.recorded_at,
        present_rows.is_announcement and compactions.compaction_id is null as pre_compacts_lost,
        present_rows.is_injection
        and starts.pre_event_id is null
        and coalesce(starts.assignment, 'none') <> 'orphan' as injections_unplaced,
        coalesce(starts.assignment, 'none') = 'orphan' as orphan_injections

    from present_rows

    left join compactions
        on present_rows.event_id = compactions.compaction_id

    left join int_session_starts_assigned as starts
        on present_rows.event_id = starts.event_id

),

compactions_flagged as (

    select
        present_compactions.interface,
        present_compactions.compaction_id as offending_key,
        present_compactions.recorded_at,
        count(*) over (partition by present_compactions.compaction_id) > 1 as compactions_twice,
        present_compactions.outcome <> 'uncovered'
        and not coalesce(present_rows.is_announcement, false) as compactions_invented,
        present_compactions.is_counted
        and present_compactions.outcome not in ('injected', 'missed', 'duplicated')
            as counted_not_eligible,
        present_compactions.detail = 'not_arrived' as injections_not_arrived

    from present_compactions

    left join present_rows
        on present_compactions.compaction_id = present_rows.event_id

),

checkpoints_flagged as (

    select
        interface,
        checkpoint_hash as offending_key,
        min(recorded_at) as recorded_at,
        count(*) > 1 as checkpoints_shared

    from present_rows

    where is_announcement and checkpoint_hash is not null

    group by interface, checkpoint_hash

),

together as (

    select * from (
        unpivot rows_flagged on pre_compacts_lost, injections_unplaced, orphan_injections
        into name finding value is_found
    )

    union all by name

    select * from (
        unpivot compactions_flagged
        on
            compactions_twice, compactions_invented, counted_not_eligible,
            injections_not_arrived
        into name finding value is_found
    )

    union all by name

    select * from (
        unpivot checkpoints_flagged on checkpoints_shared into name finding value is_found
    )

),

-- A row may be there twice when a table is damaged; it offends once.
found as (

    select
        finding,
        offending_key,
        min(interface) as interface,
        min(recorded_at) as recorded_at

    from together

    where is_found

    group by finding, offending_key

)

select * from found
