-- question: which compaction does each receipt belong to?
-- grain:    one row per post_compact row of a main session
-- key:      event_id
-- reads:    stg_audit_rows, int_pre_compacts_ordered, int_session_starts_assigned
with

receipts as (

    select * from stg_audit_rows

    where event = 'post_compact'

),

by_clock as (

    select
        receipts.event_id,
        arg_max(pre_compacts.event_id, (pre_compacts.recorded_at, pre_compacts.compaction_number))
            as pre_event_id

    from receipts

    inner join int_pre_compacts_ordered as pre_compacts
        on
            receipts.thread = pre_compacts.thread
            and receipts.recorded_at >= pre_compacts.recorded_at

    group by receipts.event_id

),

-- The row directly before a receipt, if that is a start the agent ran no PreCompact hook for.
followed as (

    select
        event_id,
        lag(event_id) over in_order as previous_event_id

    from stg_audit_rows

    window in_order as (partition by thread order by recorded_at, event = 'post_compact', event_id)

),

uncovered_starts as (

    select event_id from int_session_starts_assigned

    where assignment = 'uncovered'

),

-- A clock that stepped back puts a receipt before its compaction: the start just before it and
-- the turn they share still tell whose it is.
by_turn as (

    select
        receipts.event_id,
        max_by(pre_compacts.event_id, pre_compacts.compaction_number) as pre_event_id

    from receipts

    inner join int_pre_compacts_ordered as pre_compacts
        on
            receipts.thread = pre_compacts.thread
            and receipts.turn_hash = pre_compacts.turn_hash

    group by receipts.event_id

),

assigned as (

    select
        receipts.event_id,
        receipts.thread,
        receipts.recorded_at,
        uncovered_starts.event_id as uncovered_start_event_id,
        case
            when uncovered_starts.event_id is null
                then coalesce(
                    by_clock.pre_event_id, previous_starts.pre_event_id, by_turn.pre_event_id
                )
        end as pre_event_id

    from receipts

    left join by_clock
        on receipts.event_id = by_clock.event_id

    left join by_turn
        on receipts.event_id = by_turn.event_id

    left join followed
        on receipts.event_id = followed.event_id

    left join uncovered_starts
        on followed.previous_event_id = uncovered_starts.event_id

    left join int_session_starts_assigned as previous_starts
        on followed.previous_event_id = previous_starts.event_id

)

select * from assigned
