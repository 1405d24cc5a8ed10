-- question: what happened in the transcripts that speak for the threads that are judged anew?
-- grain:    one row per event of a file that speaks for a touched thread
-- key:      file, event_number
-- reads:    stg_transcript_events, int_transcripts_speaking
-- built:    in passing
with

events as (

    select * from stg_transcript_events

    semi join int_transcripts_speaking
        on stg_transcript_events.file = int_transcripts_speaking.file

)

select * from events
