-- question: which compactions left a start or a receipt although no PreCompact hook ran?
-- grain:    one row per compaction without a pre_compact row
-- key:      compaction_id
-- reads:    stg_audit_rows, int_session_starts_assigned, int_receipts_assigned
with

uncovered_starts as (

    select event_id from int_session_starts_assigned

    where assignment = 'uncovered'

),

-- A receipt that belongs to nothing is a compaction of its own.
uncovered_receipts as (

    select event_id from int_receipts_assigned

    where pre_event_id is null and uncovered_start_event_id is null

),

-- Codex writes the receipt first: a start directly after such a receipt is the same compaction.
in_order as (

    select
        event_id,
        lag(event_id) over (
            partition by thread order by recorded_at, event = 'post_compact', event_id
        ) as previous_event_id

    from stg_audit_rows

),

unclaimed as (

    select event_id from uncovered_receipts

    union all

    select uncovered_starts.event_id from uncovered_starts

    inner join in_order
        on uncovered_starts.event_id = in_order.event_id

    where in_order.previous_event_id is null
        or in_order.previous_event_id not in (select event_id from uncovered_receipts)

),

described as (

    select
        stg_audit_rows.event_id as compaction_id,
        stg_audit_rows.thread,
        stg_audit_rows.session_hash,
        stg_audit_rows.interface,
        stg_audit_rows.guard_fingerprint,
        stg_audit_rows.guard_version,
        stg_audit_rows.agent_version,
        stg_audit_rows.trigger,
        stg_audit_rows.delivery,
        stg_audit_rows.origin,
        stg_audit_rows.is_natural,
        stg_audit_rows.recorded_at,
        null::varchar as checkpoint_hash,
        'uncovered' as outcome,
        'uncovered' as detail,
        case when stg_audit_rows.event = 'session_start' then 'session_start' else 'receipt' end
            as evidence,
        false as is_unresolved

    from unclaimed

    inner join stg_audit_rows
        on unclaimed.event_id = stg_audit_rows.event_id

)

select * from described
