-- question: of which threads may something be other than when the models were built last?
-- grain:    one row per thread with new rows or transcripts, or with any too young to be settled then or now
-- key:      thread
-- reads:    raw_threads, raw_threads_touched, raw_audit_lines, raw_transcript_files, raw_transcript_events, raw_models_built, raw_run_parameters
-- built:    in passing
with

-- Between the two times of evaluation rows came into view, or out of it, or of grace.
bounds as (

    select
        least(built.as_of, present.as_of) as seen_until,
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

-- Events have no grace, but the evaluation may have been in their midst.
young_files as (

    select distinct events.file from raw_transcript_events as events

    inner join bounds
        on events.event_at > bounds.seen_until

),

touched as (

    select thread from raw_threads_touched

    union

    select thread from young

    union

    select raw_threads.thread from raw_threads

    inner join raw_transcript_files as files
        on raw_threads.transcript_hash = files.transcript_hash

    semi join young_files
        on files.file = young_files.file

),

-- Which file speaks for a thread depends on who else names the transcript, and a session counts
-- once, whatever number of transcripts it has.
named_alike as (

    select
        raw_threads.session_hash,
        raw_threads.transcript_hash

    from raw_threads

    semi join touched
        on raw_threads.thread = touched.thread

),

together as (

    select thread from touched

    union

    select thread from raw_threads

    where
        transcript_hash in (select transcript_hash from named_alike)
        or session_hash in (select session_hash from named_alike)

)

select * from together
