-- question: did the session go on past each compaction, and was a newer checkpoint delivered?
-- grain:    one row per pre_compact row that saved, found nothing to save, or failed
-- key:      event_id
-- reads:    stg_audit_rows, int_compaction_signs
with

signs as (

    select * from int_compaction_signs

),

-- The nearest newer compaction of the session whose checkpoint went out carries this one forward.
next_delivered as (

    select
        signs.event_id,
        arg_min(newer.boundary_offset, newer.compaction_number) as boundary_offset,
        arg_min(newer.transcript_bytes, newer.compaction_number) as transcript_bytes

    from signs

    inner join signs as newer
        on
            signs.thread = newer.thread
            and newer.compaction_number > signs.compaction_number
            and newer.count_deliveries > 0

    group by signs.event_id

),

newest_starts as (

    select
        thread,
        max(recorded_at) as recorded_at

    from stg_audit_rows

    where event = 'session_start'

    group by thread

),

followed as (

    select
        signs.event_id,
        signs.next_event_id is not null
        or coalesce(newest_starts.recorded_at > signs.recorded_at, false)
            as has_later_row,
        signs.next_turn_offset is not null as has_later_turn,
        signs.next_prompt_offset is not null as has_later_prompt,
        next_delivered.event_id is not null
        -- A prompt between the two was due a delivery of its own.
        and coalesce(
            signs.next_prompt_offset
            > coalesce(next_delivered.boundary_offset, next_delivered.transcript_bytes),
            true
        ) as is_superseded

    from signs

    left join newest_starts
        on signs.thread = newest_starts.thread

    left join next_delivered
        on signs.event_id = next_delivered.event_id

)

select * from followed
