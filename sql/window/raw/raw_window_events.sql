-- question: what do the transcripts say of use and of compactions, event by event, as read?
-- grain:    one row per response (by its last row) or boundary of a file
-- key:      file_key, kind, line_number, event_key
-- reads:    nothing
create table if not exists raw_window_events (
    file_key varchar not null,
    kind varchar not null,
    line_number bigint not null,
    event_key varchar not null,
    event_at varchar,
    is_main boolean not null,
    model varchar,
    speed varchar,
    input_tokens bigint,
    output_tokens bigint,
    cache_read_tokens bigint,
    cache_write_5m_tokens bigint,
    cache_write_1h_tokens bigint,
    context_tokens bigint,
    is_compaction_call boolean,
    trigger varchar,
    tokens_before bigint,
    tokens_after bigint,
    duration_ms bigint,
    duration_evidence varchar,
    summary_bytes bigint,
    call_key varchar,
    agent_version varchar,
    thread_hash varchar,
    copy_key varchar
)
