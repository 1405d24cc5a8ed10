-- question: did the session go on past each compaction, and was a newer checkpoint delivered?
-- grain:    one row per pre_compact row that saved, found nothing to save, or failed
-- key:      row_id
-- reads:    int_rows_at_hand, int_compaction_signs, int_session_starts_assigned
-- built:    in passing
with

signs as (

    select * from int_compaction_signs

),

-- The nearest newer compaction of the session whose checkpoint went out carries this one forward.
next_delivered as (

    select
        signs.row_id,
        arg_min(
            struct_pack(begun := coalesce(newer.boundary_offset, newer.transcript_bytes)),
            newer.compaction_number
        ) as newer

    from signs

    inner join signs as newer
        on
            signs.thread = newer.thread
            and newer.compaction_number > signs.compaction_number
            and newer.count_deliveries > 0
            and not newer.has_not_arrived

    -- Only what waits for a prompt can be overtaken.
    where signs.delivery = 'next_turn'

    group by signs.row_id

),

-- A start that belongs to a compaction is as old as that, whatever the clock says.
newest_starts as (

    select
        starts.thread,
        max(starts.recorded_at) as recorded_at

    from int_rows_at_hand as starts

    left join int_session_starts_assigned as assigned
        on starts.row_id = assigned.row_id

    where
        starts.event = 'session_start'
        and not starts.has_stepped_back
        and assigned.pre_row_id is null

    group by starts.thread

),

followed as (

    select
        signs.row_id,
        signs.next_row_id is not null
        or signs.has_session_start
        or coalesce(newest_starts.recorded_at > signs.recorded_at, false)
            as has_later_row,
        signs.next_turn_offset is not null as has_later_turn,
        signs.next_prompt_offset is not null as has_later_prompt,
        next_delivered.row_id is not null
        -- A prompt between the two was due a delivery of its own.
        and coalesce(signs.next_prompt_offset > next_delivered.newer.begun, true) as is_superseded

    from signs

    left join newest_starts
        on signs.thread = newest_starts.thread

    left join next_delivered
        on signs.row_id = next_delivered.row_id

)

select * from followed
