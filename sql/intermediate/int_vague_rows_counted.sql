-- question: how many rows without an offset may claim a boundary behind each compaction?
-- grain:    one row per compaction, or beginning of a thread, with such rows behind it
-- key:      thread, after_event_id
-- reads:    int_pre_compacts_ordered
-- built:    in passing
with

-- A row without an offset claims a boundary of its stretch too, nobody knows which.
counted as (

    select
        ordered.thread,
        coalesce(offsets.event_id, 'none') as after_event_id,
        count(*) as count_rows

    from int_pre_compacts_ordered as ordered

    left join int_pre_compacts_ordered as offsets
        on
            ordered.thread = offsets.thread
            and ordered.position_bytes = offsets.transcript_bytes

    where ordered.transcript_bytes is null

    group by ordered.thread, after_event_id

)

select * from counted
