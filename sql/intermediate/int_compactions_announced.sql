-- question: what became of each compaction that a pre_compact row announced?
-- grain:    one row per pre_compact row that saved, found nothing to save, or failed
-- key:      compaction_id
-- reads:    int_compaction_signs, raw_run_parameters
with

signs as (

    select
        int_compaction_signs.*,
        has_session_start or has_receipt or next_row_says = 'finished' as is_finished,
        next_row_says = 'contradicted' as is_contradicted,
        raw_run_parameters.as_of - recorded_at < to_seconds(raw_run_parameters.grace_seconds)
            as is_within_grace

    from int_compaction_signs

    cross join raw_run_parameters

),

-- The table of design.md section 4, in its order: the first case that matches decides.
cased as (

    select
        signs.*,
        case
            when is_within_grace and count_injections = 0 then 'under_way'
            when is_contradicted and (has_session_start or has_receipt) then 'unconfirmed'
            when is_contradicted then 'aborted'
            when not is_finished then 'aborted_by_absence'
            when outcome = 'failed' then 'save_failed'
            when outcome = 'empty' then 'empty'
            when count_injections > 1 then 'duplicated'
            when count_injections = 1 and delivery = 'next_turn' and trigger = 'auto'
                then 'delivered_late'
            when count_injections = 1 then 'injected'
            when has_refusal then 'not_delivered'
            when delivery = 'next_turn' and is_superseded then 'superseded'
            when delivery = 'immediate' and has_later_row then 'passed_by'
            else 'undecided'
        end as detail

    from signs

),

decided as (

    select
        event_id as compaction_id,
        thread,
        session_hash,
        interface,
        guard_fingerprint,
        guard_version,
        agent_version,
        trigger,
        delivery,
        origin,
        is_natural,
        recorded_at,
        checkpoint_hash,
        case detail
            when 'under_way' then 'deferred'
            when 'aborted_by_absence' then 'aborted'
            when 'save_failed' then 'missed'
            when 'not_delivered' then 'missed'
            when 'passed_by' then 'missed'
            when 'delivered_late' then 'deferred'
            when 'superseded' then 'deferred'
            when 'undecided' then 'deferred'
            else detail
        end as outcome,
        detail,
        case
            when is_contradicted and detail in ('aborted', 'unconfirmed') then 'next_row'
            when has_session_start then 'session_start'
            when next_row_says = 'finished' then 'next_row'
            when has_receipt then 'receipt'
            else 'absence'
        end as evidence,
        detail in ('aborted_by_absence', 'undecided') as is_unresolved

    from cased

)

select * from decided
