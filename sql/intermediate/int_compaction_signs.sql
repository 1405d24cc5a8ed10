-- question: what signs did each begun compaction leave in the rows of its session?
-- grain:    one row per pre_compact row that saved, found nothing to save, or failed
-- key:      event_id
-- reads:    stg_audit_rows, int_pre_compacts_ordered, int_session_starts_assigned, int_receipts_assigned
with

pre_compacts as (

    select * from int_pre_compacts_ordered

    where outcome in ('saved', 'empty', 'failed')

),

start_signs as (

    select
        pre_event_id as event_id,
        count(*) filter (where outcome = 'injected') as count_injections,
        bool_or(outcome in ('none', 'refused', 'failed', 'already_used')) as has_refusal

    from int_session_starts_assigned

    where pre_event_id is not null

    group by pre_event_id

),

receipt_signs as (

    select distinct pre_event_id as event_id from int_receipts_assigned

    where pre_event_id is not null

),

-- The newest compaction of a session whose checkpoint went out carries the older ones forward.
newest_delivered as (

    select
        pre_compacts.thread,
        max(pre_compacts.compaction_number) as compaction_number

    from pre_compacts

    inner join start_signs
        on pre_compacts.event_id = start_signs.event_id

    where start_signs.count_injections > 0

    group by pre_compacts.thread

),

newest_starts as (

    select
        thread,
        max(recorded_at) as recorded_at

    from stg_audit_rows

    where event = 'session_start'

    group by thread

),

signs as (

    select
        pre_compacts.*,
        coalesce(start_signs.count_injections, 0) as count_injections,
        start_signs.event_id is not null as has_session_start,
        coalesce(start_signs.has_refusal, false) as has_refusal,
        receipt_signs.event_id is not null as has_receipt,
        -- Rows without offsets witness nothing.
        case
            when pre_compacts.transcript_bytes is null then 'silent'
            when pre_compacts.next_transcript_bytes is null then 'silent'
            when pre_compacts.next_last_boundary_bytes >= pre_compacts.transcript_bytes
                then 'finished'
            else 'contradicted'
        end as next_row_says,
        pre_compacts.next_event_id is not null
        or coalesce(newest_starts.recorded_at > pre_compacts.recorded_at, false)
            as has_later_row,
        coalesce(newest_delivered.compaction_number > pre_compacts.compaction_number, false)
            as is_superseded

    from pre_compacts

    left join start_signs
        on pre_compacts.event_id = start_signs.event_id

    left join receipt_signs
        on pre_compacts.event_id = receipt_signs.event_id

    left join newest_starts
        on pre_compacts.thread = newest_starts.thread

    left join newest_delivered
        on pre_compacts.thread = newest_delivered.thread

)

select * from signs
