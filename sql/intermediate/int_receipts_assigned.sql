-- question: which compaction does each receipt belong to?
-- grain:    one row per post_compact row of a main session
-- key:      row_id
-- reads:    int_rows_at_hand, int_pre_compacts_ordered, int_compactions_latest, int_session_starts_assigned
-- built:    in passing
-- long:     the clock, the turn and the row before are three witnesses for one assignment
with

receipts as (

    select
        rows.row_id,
        rows.thread,
        rows.turn_hash,
        rows.recorded_at,
        by_clock.latest_of_turn_row_id,
        coalesce(by_clock.latest_of_turn_row_id, by_clock.latest_row_id)
            as clocked_row_id

    from int_rows_at_hand as rows

    inner join int_compactions_latest as by_clock
        on rows.row_id = by_clock.row_id

    where rows.event = 'post_compact'

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

unclocked as (

    select * from receipts

    where clocked_row_id is null

),

-- A clock that stepped back puts a receipt before its compaction. The turn they share tells whose
-- it is: the first one that waits for a receipt and for all we know has finished.
by_turn as (

    select
        unclocked.row_id,
        arg_min(pre_compacts.row_id, pre_compacts.compaction_number) as pre_row_id

    from unclocked

    inner join int_pre_compacts_ordered as pre_compacts
        on
            unclocked.thread = pre_compacts.thread
            and unclocked.turn_hash = pre_compacts.turn_hash

    left join int_session_starts_assigned as starts
        on pre_compacts.row_id = starts.pre_row_id

    semi join covered_threads
        on pre_compacts.thread = covered_threads.thread

    anti join receipts
        on pre_compacts.row_id = receipts.latest_of_turn_row_id

    where starts.row_id is not null or pre_compacts.delivery = 'next_turn'

    group by unclocked.row_id

),

loose_starts as (

    select * from int_session_starts_assigned

    where assignment in ('uncovered', 'orphan')

),

-- The row before a receipt says something only here.
followed as (

    select
        row_id,
        lag(row_id) over in_order as previous_row_id

    from int_rows_at_hand

    where
        thread in (select thread from loose_starts)
        or thread in (select thread from unclocked)

    -- Hooks that ran at the same time ran in the order of a compaction.
    window in_order as (
        partition by thread
        order by recorded_at, event <> 'pre_compact', event = 'post_compact', event_id
    )

),

-- The row directly before a receipt, if that is a start after a compaction.
after_starts as (

    select
        followed.row_id,
        starts.pre_row_id,
        case when starts.assignment in ('uncovered', 'orphan') then starts.row_id end
            as loose_start_row_id

    from followed

    inner join int_session_starts_assigned as starts
        on followed.previous_row_id = starts.row_id

),

assigned as (

    select
        receipts.row_id,
        receipts.thread,
        receipts.recorded_at,
        after_starts.loose_start_row_id,
        case
            when after_starts.loose_start_row_id is null
                then coalesce(
                    receipts.clocked_row_id,
                    after_starts.pre_row_id,
                    by_turn.pre_row_id
                )
        end as pre_row_id

    from receipts

    left join by_turn
        on receipts.row_id = by_turn.row_id

    left join after_starts
        on receipts.row_id = after_starts.row_id

)

select * from assigned
