-- question: which compaction had begun last, by the clock, when each other hook ran?
-- grain:    one row per session_start or post_compact row of a main session
-- key:      row_id
-- reads:    int_rows_at_hand, int_pre_compacts_ordered
-- built:    in passing
with

-- Hooks that ran at the same time ran in the order of a compaction.
marked as (

    select
        thread,
        turn_hash,
        recorded_at,
        compaction_number as place,
        row_id,
        row_id as pre_row_id

    from int_pre_compacts_ordered

    union all

    select
        thread,
        turn_hash,
        recorded_at,
        null as place,
        row_id,
        null as pre_row_id

    from int_rows_at_hand

    where event <> 'pre_compact'

),

by_clock as (

    select
        row_id,
        pre_row_id,
        last_value(pre_row_id ignore nulls) over (
            partition by thread
            order by recorded_at, place nulls last
            rows between unbounded preceding and current row
        ) as latest_row_id

    from marked

),

by_turn as (

    select
        row_id,
        last_value(pre_row_id ignore nulls) over (
            partition by thread, turn_hash
            order by recorded_at, place nulls last
            rows between unbounded preceding and current row
        ) as latest_of_turn_row_id

    from marked

    where turn_hash is not null

),

others as (

    select
        by_clock.row_id,
        by_clock.latest_row_id,
        by_turn.latest_of_turn_row_id

    from by_clock

    left join by_turn
        on by_clock.row_id = by_turn.row_id

    where by_clock.pre_row_id is null

)

select * from others
