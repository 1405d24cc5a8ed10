-- question: what happened in each transcript, up to the time of the evaluation?
-- grain:    one row per event of a file that speaks for a transcript
-- key:      file, event_number
-- reads:    raw_transcript_events, stg_transcript_files, raw_run_parameters
-- built:    as view
with

events as (

    select
        raw_transcript_events.file,
        stg_transcript_files.transcript_hash,
        raw_transcript_events.event_number,
        raw_transcript_events.byte_offset,
        raw_transcript_events.kind,
        raw_transcript_events.event_key,
        raw_transcript_events.event_at,
        raw_transcript_events.trigger,
        raw_transcript_events.records_hook_text

    from raw_transcript_events

    inner join stg_transcript_files
        on raw_transcript_events.file = stg_transcript_files.file

    cross join raw_run_parameters

    -- Lines younger than the evaluation are ignored; one without a time (damage has none) is
    -- taken as it stands.
    where coalesce(raw_transcript_events.event_at <= raw_run_parameters.as_of, true)

)

select * from events
