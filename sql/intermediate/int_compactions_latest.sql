-- question: which compaction had begun last, by the clock, when each other hook ran?
-- grain:    one row per session_start or post_compact row of a main session
-- key:      row_id
-- reads:    int_rows_at_hand, int_pre_compacts_ordered
-- built:    in passing
with

others as (

    select
        row_id,
        thread,
        turn_hash,
        recorded_at

    from int_rows_at_hand

    where event <> 'pre_compact'

),

-- Hooks that ran at the same time ran in the order of a compaction.
begun as (

    select
        thread,
        recorded_at,
        arg_max(row_id, compaction_number) as row_id

    from int_pre_compacts_ordered

    group by thread, recorded_at

),

-- Few turns have both, and a join by time sorts all that it is given.
in_turn as (

    select * from others

    where turn_hash in (select turn_hash from int_pre_compacts_ordered)

),

begun_in_turn as (

    select
        thread,
        turn_hash,
        recorded_at,
        arg_max(row_id, compaction_number) as row_id

    from int_pre_compacts_ordered

    where turn_hash in (select turn_hash from in_turn)

    group by thread, turn_hash, recorded_at

),

by_turn as (

    select
        in_turn.row_id,
        begun_in_turn.row_id as latest_of_turn_row_id

    from in_turn

    asof inner join begun_in_turn
        on
            in_turn.thread = begun_in_turn.thread
            and in_turn.turn_hash = begun_in_turn.turn_hash
            and in_turn.recorded_at >= begun_in_turn.recorded_at

),

latest as (

    select
        others.row_id,
        begun.row_id as latest_row_id,
        by_turn.latest_of_turn_row_id

    from others

    asof left join begun
        on others.thread = begun.thread and others.recorded_at >= begun.recorded_at

    left join by_turn
        on others.row_id = by_turn.row_id

)

select * from latest
