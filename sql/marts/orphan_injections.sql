-- question: which injections delivered a checkpoint that no row of their session announces?
-- grain:    one row per orphan injection
-- key:      event_id
-- reads:    raw_threads, int_rows_at_hand, int_session_starts_assigned
-- built:    by thread
with

orphans as (

    select row_id from int_session_starts_assigned

    where assignment = 'orphan'

),

described as (

    select
        rows.event_id,
        rows.thread,
        rows.interface,
        rows.guard_fingerprint,
        rows.is_natural,
        raw_threads.session_hash,
        rows.checkpoint_hash,
        rows.recorded_at

    from orphans

    inner join int_rows_at_hand as rows
        on orphans.row_id = rows.row_id

    inner join raw_threads
        on rows.thread = raw_threads.thread

)

select * from described
