-- question: what became of each line of the audit logs: accepted, or why not?
-- grain:    one row per non-blank line of an audit log file
-- key:      file, line_number
-- reads:    raw_audit_lines, raw_files_left_out, stg_line_copies, raw_run_parameters
-- built:    as view
with

judged as (

    select
        audit_lines.* exclude (reject_reason, spelling),
        case
            when audit_lines.reject_reason is not null then 'quarantined'
            when not copies.is_the_event then 'quarantined'
            when copies.copy_number > 1 then 'duplicate'
            when audit_lines.recorded_at > raw_run_parameters.as_of then 'after_as_of'
            else 'accepted'
        end as fate,
        case
            when audit_lines.reject_reason is not null then audit_lines.reject_reason
            when not copies.is_the_event then 'event_id_reused'
        end as quarantine_reason

    from raw_audit_lines as audit_lines

    anti join raw_files_left_out as left_out
        on audit_lines.file = left_out.file and left_out.kind = 'audit'

    left join stg_line_copies as copies
        on audit_lines.file = copies.file and audit_lines.line_number = copies.line_number

    cross join raw_run_parameters

)

select * from judged
