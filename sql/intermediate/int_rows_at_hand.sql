-- question: which hook runs of the threads that are judged anew decide, and in which order?
-- grain:    one row per hook run of a main session of a touched thread
-- key:      row_id
-- reads:    stg_audit_rows, int_threads_touched
-- built:    in passing
with

numbered as (

    select
        -- Names a row within this build: joins by number cost a fraction of those by hash.
        row_number() over () as row_id,
        stg_audit_rows.event_id,
        stg_audit_rows.thread,
        stg_audit_rows.recorded_at,
        stg_audit_rows.event,
        stg_audit_rows.source,
        stg_audit_rows.trigger,
        stg_audit_rows.delivery,
        stg_audit_rows.outcome,
        stg_audit_rows.has_stepped_back,
        stg_audit_rows.turn_hash,
        stg_audit_rows.checkpoint_hash,
        stg_audit_rows.transcript_bytes,
        stg_audit_rows.last_boundary_bytes,
        stg_audit_rows.interface,
        stg_audit_rows.guard_fingerprint,
        stg_audit_rows.guard_version,
        stg_audit_rows.agent_version,
        stg_audit_rows.origin,
        stg_audit_rows.is_natural,
        stg_audit_rows.reason

    from stg_audit_rows

    semi join int_threads_touched
        on stg_audit_rows.thread = int_threads_touched.thread

)

select * from numbered
