-- question: which compactions left a start or a receipt although no PreCompact hook ran?
-- grain:    one row per compaction without a pre_compact row
-- key:      event_id
-- reads:    stg_audit_rows, int_compactions_latest, int_session_starts_assigned, int_receipts_assigned
with

loose_starts as (

    select
        event_id,
        assignment

    from int_session_starts_assigned

    where assignment in ('uncovered', 'orphan')

),

-- Codex writes the receipt first: a start directly after a receipt is the same compaction.
announced_starts as (

    select
        event_id,
        lag(event_id) over (
            partition by thread order by recorded_at, event = 'post_compact', event_id
        ) as previous_event_id

    from stg_audit_rows

    qualify event_id in (select event_id from loose_starts)

),

-- A receipt that belongs to nothing is a compaction of its own.
uncovered_receipts as (

    select receipts.event_id from int_receipts_assigned as receipts

    anti join announced_starts
        on receipts.event_id = announced_starts.previous_event_id

    where receipts.pre_event_id is null and receipts.loose_start_event_id is null

),

unclaimed as (

    select event_id from loose_starts

    where assignment = 'uncovered'

    union all

    select event_id from uncovered_receipts

),

described as (

    select
        stg_audit_rows.*,
        -- Where it lies in its session: behind the latest compaction begun before.
        coalesce(by_clock.latest_event_id, 'none') as after_event_id,
        row_number() over (
            partition by stg_audit_rows.thread, by_clock.latest_event_id
            order by stg_audit_rows.recorded_at, stg_audit_rows.event_id
        ) as number_after

    from unclaimed

    inner join stg_audit_rows
        on unclaimed.event_id = stg_audit_rows.event_id

    inner join int_compactions_latest as by_clock
        on unclaimed.event_id = by_clock.event_id

)

select * from described
