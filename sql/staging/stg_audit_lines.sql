-- question: what became of each line of the audit logs: accepted, or why not?
-- grain:    one row per non-blank line of an audit log file
-- key:      file, line_number
-- reads:    raw_audit_lines, raw_files_left_out, raw_run_parameters
with

audit_lines as (

    select * from raw_audit_lines

    where file not in (select file from raw_files_left_out where kind = 'audit')

),

-- Copies of one event may stand anywhere, in any order: the earliest time and then the
-- smallest content hash say which content is the event, so that order decides nothing.
ranked as (

    select
        audit_lines.*,
        first_value(content_hash) over (
            partition by event_id order by recorded_at, content_hash
        ) as event_content_hash,
        row_number() over (
            partition by event_id, content_hash order by file, line_number
        ) as copy_number

    from audit_lines

),

judged as (

    select
        ranked.*,
        case
            when reject_reason is not null then 'quarantined'
            when content_hash <> event_content_hash then 'quarantined'
            when copy_number > 1 then 'duplicate'
            when recorded_at > raw_run_parameters.as_of then 'after_as_of'
            else 'accepted'
        end as fate,
        case
            when reject_reason is not null then reject_reason
            when content_hash <> event_content_hash then 'event_id_reused'
        end as quarantine_reason

    from ranked

    cross join raw_run_parameters

)

select * exclude (reject_reason, event_content_hash, copy_number) from judged
