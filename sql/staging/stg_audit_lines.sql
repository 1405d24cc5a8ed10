-- question: what became of each line of the audit logs: accepted, or why not?
-- grain:    one row per non-blank line of an audit log file
-- key:      file, line_number
-- reads:    raw_audit_lines, raw_files_left_out, raw_run_parameters
with

audit_lines as (

    select * from raw_audit_lines

    where file not in (select file from raw_files_left_out where kind = 'audit')

),

repeated as (

    select event_id from audit_lines

    group by event_id

    having count(*) > 1

),

-- Few events are there twice: only theirs are worth a look at the whole content.
copies as (

    select
        audit_lines.file,
        audit_lines.line_number,
        audit_lines.event_id,
        audit_lines.recorded_at,
        to_json(
            row(
                host, guard_version, guard_fingerprint, interface, agent, agent_version, model,
                event, source, trigger, delivery, session_hash, transcript_hash, turn_hash,
                transcript_bytes, last_boundary_bytes, checkpoint_hash, outcome, reason, origin,
                subagent, duration_ms, counts, recorded_at
            )
        )::varchar as content

    from audit_lines

    inner join repeated
        on audit_lines.event_id = repeated.event_id

),

-- Copies of one event may stand anywhere, in any order: the earliest time and then the
-- smallest content say which content is the event, so that order decides nothing.
ranked as (

    select
        file,
        line_number,
        content = first_value(content) over (
            partition by event_id order by recorded_at, content
        ) as is_the_event,
        row_number() over (
            partition by event_id, content order by file, line_number
        ) as copy_number

    from copies

),

judged as (

    select
        audit_lines.* exclude (reject_reason),
        case
            when audit_lines.reject_reason is not null then 'quarantined'
            when not ranked.is_the_event then 'quarantined'
            when ranked.copy_number > 1 then 'duplicate'
            when audit_lines.recorded_at > raw_run_parameters.as_of then 'after_as_of'
            else 'accepted'
        end as fate,
        case
            when audit_lines.reject_reason is not null then audit_lines.reject_reason
            when not ranked.is_the_event then 'event_id_reused'
        end as quarantine_reason

    from audit_lines

    left join ranked
        on audit_lines.file = ranked.file and audit_lines.line_number = ranked.line_number

    cross join raw_run_parameters

)

select * from judged
