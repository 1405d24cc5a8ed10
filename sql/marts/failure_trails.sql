-- question: what did rows and transcripts show of each failed compaction, step by step?
-- grain:    one row per failed natural compaction and step
-- key:      compaction_id, source, step_key
-- reads:    compactions, stg_audit_rows, int_session_starts_assigned, int_receipts_assigned, int_compaction_signs, stg_transcript_events
-- long:     rows and transcript events become steps of one shape before they can be put in order
with

failed as (

    select
        compaction_id,
        interface,
        guard_fingerprint,
        thread,
        transcript_hash,
        checkpoint_hash,
        recorded_at

    from compactions

    where is_natural and outcome in ('missed', 'duplicated')

),

own_rows as (

    select
        compaction_id,
        compaction_id as event_id

    from failed

    union all

    select
        failed.compaction_id,
        starts.event_id

    from failed

    inner join int_session_starts_assigned as starts
        on failed.compaction_id = starts.pre_event_id

    union all

    select
        failed.compaction_id,
        receipts.event_id

    from failed

    inner join int_receipts_assigned as receipts
        on failed.compaction_id = receipts.pre_event_id

),

-- What the session did next is what makes a missing delivery a missed one.
next_rows as (

    select
        failed.compaction_id,
        arg_min(later.event_id, (later.recorded_at, later.event_id)) as event_id

    from failed

    inner join stg_audit_rows as later
        on failed.thread = later.thread and later.recorded_at > failed.recorded_at

    anti join own_rows
        on failed.compaction_id = own_rows.compaction_id and later.event_id = own_rows.event_id

    group by failed.compaction_id

),

row_steps as (

    select
        steps.compaction_id,
        'audit log' as source,
        steps.event_id as step_key,
        stg_audit_rows.recorded_at as step_at,
        stg_audit_rows.event as step,
        stg_audit_rows.outcome,
        stg_audit_rows.reason,
        stg_audit_rows.transcript_bytes as byte_offset,
        stg_audit_rows.last_boundary_bytes,
        stg_audit_rows.checkpoint_hash,
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

    inner join stg_audit_rows
        on steps.event_id = stg_audit_rows.event_id

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
        on failed.compaction_id = signs.event_id

    inner join stg_transcript_events as events
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
        failed.interface,
        failed.guard_fingerprint

    from steps

    inner join failed
        on steps.compaction_id = failed.compaction_id

)

select * from described
