-- question: what signs did each begun compaction leave, in the rows and in the transcript?
-- grain:    one row per pre_compact row that saved, found nothing to save, or failed
-- key:      row_id
-- reads:    int_pre_compacts_ordered, int_session_starts_assigned, int_receipts_assigned, int_compactions_witnessed
-- built:    in passing
with

pre_compacts as (

    select * from int_pre_compacts_ordered

    where outcome in ('saved', 'empty', 'failed')

),

start_signs as (

    select
        pre_row_id as row_id,
        count(*) filter (where outcome = 'injected') as count_injections,
        bool_or(outcome in ('none', 'refused', 'failed', 'already_used')) as has_refusal

    from int_session_starts_assigned

    where pre_row_id is not null

    group by pre_row_id

),

receipt_signs as (

    select distinct pre_row_id as row_id from int_receipts_assigned

    where pre_row_id is not null

),

signs as (

    select
        pre_compacts.*,
        coalesce(start_signs.count_injections, 0) as count_injections,
        start_signs.row_id is not null as has_session_start,
        coalesce(start_signs.has_refusal, false) as has_refusal,
        receipt_signs.row_id is not null as has_receipt,
        -- Rows without offsets witness nothing. No boundary at all is none of this one, wherever
        -- this one began.
        case
            when pre_compacts.next_transcript_bytes is null then 'silent'
            when pre_compacts.next_last_boundary_bytes is null then 'contradicted'
            when pre_compacts.transcript_bytes is null then 'silent'
            when pre_compacts.next_last_boundary_bytes >= pre_compacts.transcript_bytes
                then 'finished'
            else 'contradicted'
        end as next_row_says,
        coalesce(witnessed.transcript_says, 'silent') as transcript_says,
        witnessed.transcript_file,
        coalesce(witnessed.is_readable_to_end, false) as is_readable_to_end,
        witnessed.boundary_offset,
        witnessed.boundary_key,
        coalesce(witnessed.records_hook_text, false) as records_hook_text,
        coalesce(witnessed.count_arrivals, 0) as count_arrivals,
        witnessed.next_turn_offset,
        witnessed.next_prompt_offset

    from pre_compacts

    left join start_signs
        on pre_compacts.row_id = start_signs.row_id

    left join receipt_signs
        on pre_compacts.row_id = receipt_signs.row_id

    left join int_compactions_witnessed as witnessed
        on pre_compacts.row_id = witnessed.row_id

),

delivered as (

    select
        signs.*,
        greatest(count_injections, count_arrivals) as count_deliveries,
        -- The row says injected, but the model went on without the text. One that waits for the
        -- next prompt arrives anywhere later, so that nothing there may be unreadable.
        count_injections = 1
        and count_arrivals = 0
        and transcript_says = 'finished'
        and records_hook_text
        and next_turn_offset is not null
        and (delivery = 'immediate' or is_readable_to_end) as has_not_arrived

    from signs

)

select * from delivered
