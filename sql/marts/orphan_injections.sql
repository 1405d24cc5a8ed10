-- question: which injections delivered a checkpoint that no row of their session announces?
-- grain:    one row per orphan injection
-- key:      event_id
-- reads:    stg_audit_rows, int_session_starts_assigned
with

orphans as (

    select event_id from int_session_starts_assigned

    where assignment = 'orphan'

),

described as (

    select
        stg_audit_rows.event_id,
        stg_audit_rows.interface,
        stg_audit_rows.guard_fingerprint,
        stg_audit_rows.is_natural,
        stg_audit_rows.session_hash,
        stg_audit_rows.checkpoint_hash,
        stg_audit_rows.recorded_at

    from orphans

    inner join stg_audit_rows
        on orphans.event_id = stg_audit_rows.event_id

)

select * from described
