-- question: which transcripts were given to the study, and how well could they be read?
-- grain:    one row per file given
-- key:      file
-- reads:    nothing
create table if not exists raw_window_files (
    file varchar not null,
    reject_reason varchar,
    file_key varchar not null,
    agent varchar,
    session_hash varchar,
    project_hash varchar,
    is_subagent boolean not null,
    ancestor_hashes varchar not null,
    lines_read bigint not null,
    rejected_lines bigint not null,
    recovered_lines bigint not null,
    rejected varchar not null
)
