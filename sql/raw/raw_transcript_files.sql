-- question: which transcripts of agents are at hand, whose are they, and how well could they be read?
-- grain:    one row per file given
-- key:      file
-- reads:    nothing
create table if not exists raw_transcript_files (
    file varchar not null,
    reject_reason varchar,
    agent varchar,
    transcript_hash varchar,
    session_hash varchar,
    interface varchar,
    agent_version varchar,
    complete_bytes bigint not null,
    file_bytes bigint not null,
    is_subagent boolean,
    is_slice boolean,
    records_hook_text boolean,
    lines_read bigint not null,
    objects_read bigint not null,
    unreadable_lines bigint not null,
    glued_lines bigint not null,
    invalid_utf8_lines bigint not null
)
