-- question: what do the transcripts prove, fact by fact, as read?
-- grain:    one row per fact of a file, numbered in the order of its offsets
-- key:      file, event_number
-- reads:    nothing
create table if not exists raw_transcript_events (
    file varchar not null,
    event_number bigint not null,
    byte_offset bigint not null,
    kind varchar not null,
    event_at timestamp,
    event_key varchar,
    trigger varchar,
    pre_tokens bigint,
    post_tokens bigint,
    records_hook_text boolean
)
