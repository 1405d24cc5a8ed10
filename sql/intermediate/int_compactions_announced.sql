-- question: what became of each compaction that a pre_compact row announced?
-- grain:    one row per pre_compact row that saved, found nothing to save, or failed
-- key:      compaction_id
-- reads:    int_compaction_signs, int_compactions_followed, int_rows_at_hand, raw_threads, raw_run_parameters
-- built:    by thread
-- long:     the table of cases is one decision, to be read in one piece
with

signs as (

    select
        int_compaction_signs.*,
        int_compactions_followed.* exclude (row_id),
        -- The transcript is the more independent witness: where it speaks, the next row is not asked.
        case when transcript_says = 'silent' then next_row_says else transcript_says end
            as witness_says,
        raw_run_parameters.as_of - recorded_at < to_seconds(raw_run_parameters.grace_seconds)
            as is_within_grace

    from int_compaction_signs

    inner join int_compactions_followed
        on int_compaction_signs.row_id = int_compactions_followed.row_id

    cross join raw_run_parameters

),

-- The table of design.md section 4, in its order: the first case that matches decides.
cased as (

    select
        signs.*,
        case
            when is_within_grace and count_deliveries = 0 then 'under_way'
            when witness_says = 'contradicted' and (has_session_start or has_receipt)
                then 'unconfirmed'
            when witness_says = 'contradicted' then 'aborted'
            when witness_says = 'silent' and not has_session_start and not has_receipt
                then 'aborted_by_absence'
            when outcome = 'failed' then 'save_failed'
            when outcome = 'empty' then 'empty'
            when count_deliveries > 1 then 'duplicated'
            when has_not_arrived then 'not_arrived'
            when count_deliveries = 1 and delivery = 'next_turn' and trigger = 'auto'
                then 'delivered_late'
            when count_deliveries = 1 then 'injected'
            when has_refusal then 'not_delivered'
            when delivery = 'next_turn' and is_superseded then 'superseded'
            when delivery = 'immediate' and (has_later_row or has_later_turn) then 'passed_by'
            when delivery = 'next_turn' and has_later_prompt then 'passed_by'
            -- Neither a turn nor a prompt that was due the delivery followed the boundary.
            when transcript_says = 'finished' and is_readable_to_end then 'not_due'
            else 'undecided'
        end as detail

    from signs

),

decided as (

    select
        cased.event_id as compaction_id,
        cased.thread,
        raw_threads.session_hash,
        raw_threads.transcript_hash,
        rows.interface,
        rows.guard_fingerprint,
        rows.guard_version,
        rows.agent_version,
        cased.trigger,
        cased.delivery,
        rows.origin,
        rows.is_natural,
        cased.recorded_at,
        cased.checkpoint_hash,
        cased.boundary_key,
        case detail
            when 'under_way' then 'deferred'
            when 'aborted_by_absence' then 'aborted'
            when 'save_failed' then 'missed'
            when 'not_arrived' then 'missed'
            when 'not_delivered' then 'missed'
            when 'passed_by' then 'missed'
            when 'delivered_late' then 'deferred'
            when 'superseded' then 'deferred'
            when 'not_due' then 'deferred'
            when 'undecided' then 'deferred'
            else detail
        end as outcome,
        detail,
        -- The most independent witness that shows it; of a delivery, that it arrived.
        case
            when detail in ('aborted', 'unconfirmed') and transcript_says = 'contradicted'
                then 'transcript'
            when detail in ('aborted', 'unconfirmed') then 'next_row'
            when detail = 'injected' and count_arrivals = 0 then 'session_start'
            when detail = 'duplicated' and count_arrivals < 2 then 'session_start'
            when transcript_says = 'finished' then 'transcript'
            when has_session_start then 'session_start'
            when next_row_says = 'finished' then 'next_row'
            when has_receipt then 'receipt'
            else 'absence'
        end as evidence,
        detail in ('aborted_by_absence', 'undecided') as is_unresolved,
        transcript_says <> 'silent' as is_witnessed

    from cased

    inner join int_rows_at_hand as rows
        on cased.row_id = rows.row_id and rows.event = 'pre_compact'

    inner join raw_threads
        on cased.thread = raw_threads.thread

)

select * from decided
