-- question: which hook runs of main sessions count as evidence?
-- grain:    one row per hook run of a main session that was accepted
-- key:      event_id
-- reads:    stg_audit_lines, raw_run_parameters
-- built:    as view
with

accepted as (

    select * from stg_audit_lines

    where fate = 'accepted' and not subagent

),

renamed as (

    select
        accepted.event_id,
        accepted.recorded_at,
        accepted.event,
        accepted.source,
        accepted.trigger,
        accepted.delivery,
        accepted.outcome,
        accepted.reason,
        -- It found its compaction in the hands of another run: two registrations, one guard.
        coalesce(accepted.outcome = 'skipped' and accepted.reason = 'claimed_elsewhere', false)
            as has_stepped_back,
        accepted.interface,
        accepted.agent,
        accepted.agent_version,
        accepted.guard_version,
        accepted.guard_fingerprint,
        accepted.origin,
        accepted.session_hash,
        accepted.transcript_hash,
        accepted.thread,
        accepted.turn_hash,
        accepted.checkpoint_hash,
        accepted.transcript_bytes,
        accepted.last_boundary_bytes,
        accepted.duration_ms,
        accepted.counts,
        -- A rehearsal judges synthetic rows as if they were natural.
        accepted.origin = 'natural' or raw_run_parameters.is_rehearsal as is_natural

    from accepted

    cross join raw_run_parameters

)

select * from renamed
