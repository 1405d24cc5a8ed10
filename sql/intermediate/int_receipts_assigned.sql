-- question: which compaction does each receipt belong to?
-- grain:    one row per post_compact row of a main session
-- key:      event_id
-- reads:    stg_audit_rows, int_pre_compacts_ordered, int_compactions_latest, int_session_starts_assigned
with

receipts as (

    select * from stg_audit_rows

    where event = 'post_compact'

),

receipts_by_clock as (

    select by_clock.* from int_compactions_latest as by_clock

    semi join receipts
        on by_clock.event_id = receipts.event_id

),

-- A boundary before a session's first row is of a compaction without a row: a receipt as old
-- may be its own.
covered_threads as (

    select thread from int_pre_compacts_ordered

    where
        compaction_number = 1
        and transcript_bytes is not null
        and last_boundary_bytes is null

),

-- A clock that stepped back puts a receipt before its compaction. The turn they share tells whose
-- it is: the first one that waits for a receipt and for all we know has finished.
by_turn as (

    select
        receipts.event_id,
        arg_min(pre_compacts.event_id, pre_compacts.compaction_number) as pre_event_id

    from receipts

    inner join int_pre_compacts_ordered as pre_compacts
        on
            receipts.thread = pre_compacts.thread
            and receipts.turn_hash = pre_compacts.turn_hash

    left join int_session_starts_assigned as starts
        on pre_compacts.event_id = starts.pre_event_id

    semi join covered_threads
        on pre_compacts.thread = covered_threads.thread

    anti join receipts_by_clock
        on pre_compacts.event_id = receipts_by_clock.latest_of_turn_event_id

    where starts.event_id is not null or pre_compacts.delivery = 'next_turn'

    group by receipts.event_id

),

followed as (

    select
        event_id,
        lag(event_id) over in_order as previous_event_id

    from stg_audit_rows

    window in_order as (partition by thread order by recorded_at, event = 'post_compact', event_id)

),

-- The row directly before a receipt, if that is a start after a compaction.
after_starts as (

    select
        followed.event_id,
        starts.pre_event_id,
        case when starts.assignment in ('uncovered', 'orphan') then starts.event_id end
            as loose_start_event_id

    from followed

    inner join int_session_starts_assigned as starts
        on followed.previous_event_id = starts.event_id

),

assigned as (

    select
        receipts.event_id,
        receipts.thread,
        receipts.recorded_at,
        after_starts.loose_start_event_id,
        case
            when after_starts.loose_start_event_id is null
                then coalesce(
                    receipts_by_clock.latest_of_turn_event_id,
                    receipts_by_clock.latest_event_id,
                    after_starts.pre_event_id,
                    by_turn.pre_event_id
                )
        end as pre_event_id

    from receipts

    left join receipts_by_clock
        on receipts.event_id = receipts_by_clock.event_id

    left join by_turn
        on receipts.event_id = by_turn.event_id

    left join after_starts
        on receipts.event_id = after_starts.event_id

)

select * from assigned
