-- question: which compactions left a start or a receipt although no PreCompact hook ran?
-- grain:    one row per compaction without a pre_compact row
-- key:      event_id
-- reads:    raw_threads, int_rows_at_hand, int_compactions_latest, int_session_starts_assigned, int_receipts_assigned
-- built:    by thread
with

loose_starts as (

    select
        row_id,
        thread,
        assignment

    from int_session_starts_assigned

    where assignment in ('uncovered', 'orphan')

),

-- Codex writes the receipt first: a start directly after a receipt is the same compaction.
announced_starts as (

    select
        row_id,
        lag(row_id) over (
            partition by thread
            order by recorded_at, event <> 'pre_compact', event = 'post_compact', event_id
        ) as previous_row_id

    from int_rows_at_hand

    where thread in (select thread from loose_starts)

    qualify row_id in (select row_id from loose_starts)

),

-- A receipt that belongs to nothing is a compaction of its own.
uncovered_receipts as (

    select receipts.row_id from int_receipts_assigned as receipts

    anti join announced_starts
        on receipts.row_id = announced_starts.previous_row_id

    where receipts.pre_row_id is null and receipts.loose_start_row_id is null

),

unclaimed as (

    select row_id from loose_starts

    where assignment = 'uncovered'

    union all

    select row_id from uncovered_receipts

),

described as (

    select
        hook_runs.* exclude (row_id),
        raw_threads.session_hash,
        raw_threads.transcript_hash,
        -- Where it lies in its session: behind the latest compaction begun before.
        coalesce(latest.event_id, 'none') as after_event_id,
        row_number() over (
            partition by hook_runs.thread, by_clock.latest_row_id
            order by hook_runs.recorded_at, hook_runs.event_id
        ) as number_after

    from unclaimed

    inner join int_rows_at_hand as hook_runs
        on unclaimed.row_id = hook_runs.row_id

    inner join raw_threads
        on hook_runs.thread = raw_threads.thread

    inner join int_compactions_latest as by_clock
        on unclaimed.row_id = by_clock.row_id

    left join int_rows_at_hand as latest
        on by_clock.latest_row_id = latest.row_id

)

select * from described
