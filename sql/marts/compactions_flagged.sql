-- question: which rows and compactions break the arithmetic of the outcomes?
-- grain:    one row per finding and offending row or compaction
-- key:      finding, offending_key
-- reads:    int_rows_at_hand, int_compactions_announced, int_session_starts_assigned
-- built:    by thread
-- long:     compactions and injections are flagged apart before they become one list
with

-- Taken from the rows themselves: another path than the one compactions come on.
announcements as (

    select * from int_rows_at_hand

    where event = 'pre_compact' and outcome in ('saved', 'empty', 'failed')

),

compaction_counts as (

    select
        compaction_id,
        count(*) as count_compactions,
        bool_or(detail = 'not_arrived') as has_not_arrived

    from int_compactions_announced

    group by compaction_id

),

compactions_flagged as (

    select
        announcements.row_id,
        coalesce(announcements.event_id, compaction_counts.compaction_id) as offending_key,
        compaction_counts.compaction_id is null as pre_compacts_lost,
        announcements.event_id is null as compactions_invented,
        coalesce(compaction_counts.count_compactions > 1, false) as compactions_twice,
        coalesce(compaction_counts.has_not_arrived, false) as injections_not_arrived

    from announcements

    full join compaction_counts
        on announcements.event_id = compaction_counts.compaction_id

),

offending_compactions as (

    select
        flagged.*,
        coalesce(rows.thread, announced.thread) as thread,
        coalesce(rows.interface, announced.interface) as interface,
        coalesce(rows.guard_fingerprint, announced.guard_fingerprint) as guard_fingerprint,
        coalesce(rows.is_natural, announced.is_natural) as is_natural,
        coalesce(rows.recorded_at, announced.recorded_at) as recorded_at

    from compactions_flagged as flagged

    left join int_rows_at_hand as rows
        on flagged.row_id = rows.row_id

    left join int_compactions_announced as announced
        on flagged.offending_key = announced.compaction_id

    where
        flagged.pre_compacts_lost
        or flagged.compactions_invented
        or flagged.compactions_twice
        or flagged.injections_not_arrived

),

injections_flagged as (

    select
        rows.event_id as offending_key,
        rows.thread,
        rows.interface,
        rows.guard_fingerprint,
        rows.is_natural,
        rows.recorded_at,
        rows.outcome = 'injected' and coalesce(starts.assignment, 'none') <> 'orphan'
            as injections_unplaced,
        coalesce(starts.assignment, 'none') = 'orphan' as orphan_injections

    from int_rows_at_hand as rows

    left join int_session_starts_assigned as starts
        on rows.row_id = starts.row_id

    where rows.event = 'session_start' and starts.pre_row_id is null

),

together as (

    select * from (
        unpivot offending_compactions
        on pre_compacts_lost, compactions_invented, compactions_twice, injections_not_arrived
        into name finding value is_found
    )

    union all by name

    select * from (
        unpivot injections_flagged on injections_unplaced, orphan_injections
        into name finding value is_found
    )

),

-- A row may be there twice when a table is damaged; it offends once.
found as (

    select
        finding,
        offending_key,
        min(thread) as thread,
        min(interface) as interface,
        min(guard_fingerprint) as guard_fingerprint,
        bool_or(is_natural) as is_natural,
        min(recorded_at) as recorded_at

    from together

    where is_found

    group by finding, offending_key

)

select * from found
