-- question: on which days (UTC) may lines count otherwise than when the models were built last?
-- grain:    one row per day with a line of a touched thread
-- key:      recorded_date
-- reads:    raw_audit_lines, int_threads_touched
-- built:    in passing
with

days as (

    select distinct audit_lines.recorded_at::date as recorded_date

    from raw_audit_lines as audit_lines

    semi join int_threads_touched
        on audit_lines.thread = int_threads_touched.thread

)

select * from days
