-- question: of which threads may something be other than when the models were built last?
-- grain:    one row per thread with new rows, or rows too young to be settled then or now
-- key:      thread
-- reads:    raw_threads_touched, raw_audit_lines, raw_models_built, raw_run_parameters
-- built:    in passing
with

-- Between the two times of evaluation rows came into view, or out of it, or of grace.
bounds as (

    select
        least(built.as_of, present.as_of) - to_seconds(
            greatest(built.grace_seconds, present.grace_seconds)
        ) as settled_until

    from raw_models_built as built

    cross join raw_run_parameters as present

),

young as (

    select audit_lines.thread from raw_audit_lines as audit_lines

    inner join bounds
        on audit_lines.recorded_at >= bounds.settled_until

    where audit_lines.thread is not null

),

touched as (

    select thread from raw_threads_touched

    union

    select thread from young

)

select * from touched
