-- question: which compactions left a start or a receipt although no PreCompact hook ran?
-- grain:    one row per compaction without a pre_compact row
-- key:      event_id
-- reads:    stg_audit_rows, int_pre_compacts_ordered, int_session_starts_assigned, int_receipts_assigned
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

-- Where it lies in its session: behind the latest compaction that began before, by the clock.
placed as (

    select
        unclaimed.event_id,
        arg_max(pre_compacts.event_id, (pre_compacts.recorded_at, pre_compacts.compaction_number))
            as pre_event_id

    from unclaimed

    inner join stg_audit_rows
        on unclaimed.event_id = stg_audit_rows.event_id

    left join int_pre_compacts_ordered as pre_compacts
        on
            stg_audit_rows.thread = pre_compacts.thread
            and stg_audit_rows.recorded_at >= pre_compacts.recorded_at

    group by unclaimed.event_id

),

described as (

    select
        stg_audit_rows.*,
        coalesce(placed.pre_event_id, 'none') as after_event_id,
        row_number() over (
            partition by stg_audit_rows.thread, placed.pre_event_id
            order by stg_audit_rows.recorded_at, stg_audit_rows.event_id
        ) as number_after

    from placed

    inner join stg_audit_rows
        on placed.event_id = stg_audit_rows.event_id

)

select * from described
