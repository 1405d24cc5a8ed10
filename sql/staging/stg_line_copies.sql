-- question: of lines with one event id, which content is the event, and which are copies of it?
-- grain:    one row per line with an event id that another line has too
-- key:      file, line_number
-- reads:    raw_audit_lines, raw_events_repeated, raw_files_left_out
with

copies as (

    select
        audit_lines.file,
        audit_lines.line_number,
        audit_lines.event_id,
        audit_lines.recorded_at,
        -- Equal counts in another order are equal.
        to_json(
            row(
                host, guard_version, guard_fingerprint, interface, agent, agent_version, model,
                event, source, trigger, delivery, session_hash, transcript_hash, turn_hash,
                transcript_bytes, last_boundary_bytes, checkpoint_hash, outcome, reason, origin,
                subagent, duration_ms, recorded_at,
                list_sort(
                    list_transform(
                        json_keys(counts),
                        lambda name: name || json_extract_string(counts, '$."' || name || '"')
                    )
                )
            )
        )::varchar as content

    from raw_audit_lines as audit_lines

    semi join raw_events_repeated
        on audit_lines.event_id = raw_events_repeated.event_id

    anti join raw_files_left_out as left_out
        on audit_lines.file = left_out.file and left_out.kind = 'audit'

    -- A copy may be gone since.
    qualify count(*) over (partition by audit_lines.event_id) > 1

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

)

select * from ranked
