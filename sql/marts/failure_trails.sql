-- question: what did rows and transcripts show of each failed compaction, step by step?
-- grain:    one row per failed natural compaction and step
-- key:      compaction_id, source, step_key
-- reads:    int_compactions_announced, int_pre_compacts_ordered, int_rows_at_hand, int_session_starts_assigned, int_receipts_assigned, int_compaction_signs, int_events_at_hand
-- built:    by thread
-- long:     rows and transcript events become steps of one shape before they can be put in order
with

failed as (

    select
        announced.compaction_id,
        rows.row_id,
        announced.interface,
        announced.guard_fingerprint,
        announced.thread,
        announced.checkpoint_hash,
        announced.recorded_at

    from int_compactions_announced as announced

    inner join int_pre_compacts_ordered as rows
        on announced.compaction_id = rows.event_id

    where announced.is_natural and announced.outcome in ('missed', 'duplicated')

),

own_rows as (

    select
        compaction_id,
        row_id

    from failed

    union all

    select
        failed.compaction_id,
        starts.row_id

    from failed

    inner join int_session_starts_assigned as starts
        on failed.row_id = starts.pre_row_id

    union all

    select
        failed.compaction_id,
        receipts.row_id

    from failed

    inner join int_receipts_assigned as receipts
        on failed.row_id = receipts.pre_row_id

),

-- What the session did next is what makes a missing delivery a missed one.
next_rows as (

    select
        failed.compaction_id,
        arg_min(later.row_id, (later.recorded_at, later.event_id)) as row_id

    from failed

    inner join int_rows_at_hand as later
        on failed.thread = later.thread and later.recorded_at > failed.recorded_at

    anti join own_rows
        on failed.compaction_id = own_rows.compaction_id and later.row_id = own_rows.row_id

    group by failed.compaction_id

),

row_steps as (

    select
        steps.compaction_id,
        'audit log' as source,
        rows.event_id as step_key,
        rows.recorded_at as step_at,
        rows.event as step,
        rows.outcome,
        rows.reason,
        rows.transcript_bytes as byte_offset,
        rows.last_boundary_bytes,
        rows.checkpoint_hash,
        steps.is_own

    from (
        select
            own_rows.*,
            true as is_own

        from own_rows

        union all

        select
            next_rows.*,
            false as is_own

        from next_rows
    ) as steps

    inner join int_rows_at_hand as rows
        on steps.row_id = rows.row_id

),

transcript_steps as (

    select
        failed.compaction_id,
        'transcript' as source,
        events.event_number::varchar as step_key,
        events.event_at as step_at,
        events.kind as step,
        events.byte_offset,
        case when events.kind = 'injected_text' then events.event_key end as checkpoint_hash,
        events.kind = 'boundary'
        or coalesce(events.event_key = failed.checkpoint_hash, false) as is_own

    from failed

    inner join int_compaction_signs as signs
        on failed.row_id = signs.row_id

    inner join int_events_at_hand as events
        on signs.transcript_file = events.file

    where
        (events.kind = 'boundary' and events.byte_offset = signs.boundary_offset)
        or (events.kind = 'model_turn' and events.byte_offset = signs.next_turn_offset)
        or (events.kind = 'user_prompt' and events.byte_offset = signs.next_prompt_offset)
        or (
            events.kind = 'injected_text'
            and events.byte_offset > signs.boundary_offset
            and (
                events.event_key = failed.checkpoint_hash
                or events.byte_offset < signs.next_turn_offset
            )
        )

),

steps as (

    select * from row_steps

    union all by name

    select * from transcript_steps

),

described as (

    select
        steps.*,
        failed.thread,
        failed.interface,
        failed.guard_fingerprint

    from steps

    inner join failed
        on steps.compaction_id = failed.compaction_id

)

select * from described
