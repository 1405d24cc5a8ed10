-- question: did the session go on past each compaction, and was a newer checkpoint delivered?
-- grain:    one row per pre_compact row that saved, found nothing to save, or failed
-- key:      event_id
-- reads:    stg_audit_rows, int_compaction_signs, int_session_starts_assigned
with

signs as (

    select * from int_compaction_signs

),

-- The nearest newer compaction of the session whose checkpoint went out carries this one forward.
next_delivered as (

    select
        signs.event_id,
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

    group by signs.event_id

),

-- A start that belongs to a compaction is as old as that, whatever the clock says.
newest_starts as (

    select
        starts.thread,
        max(starts.recorded_at) as recorded_at

    from stg_audit_rows as starts

    left join int_session_starts_assigned as assigned
        on starts.event_id = assigned.event_id

    where starts.event = 'session_start' and assigned.pre_event_id is null

    group by starts.thread

),

followed as (

    select
        signs.event_id,
        signs.next_event_id is not null
        or signs.has_session_start
        or coalesce(newest_starts.recorded_at > signs.recorded_at, false)
            as has_later_row,
        signs.next_turn_offset is not null as has_later_turn,
        signs.next_prompt_offset is not null as has_later_prompt,
        next_delivered.event_id is not null
        -- A prompt between the two was due a delivery of its own.
        and coalesce(signs.next_prompt_offset > next_delivered.newer.begun, true) as is_superseded

    from signs

    left join newest_starts
        on signs.thread = newest_starts.thread

    left join next_delivered
        on signs.event_id = next_delivered.event_id

)

select * from followed
