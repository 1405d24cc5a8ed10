create table expired_sessions (
    audit VARCHAR not null,
    session_hash VARCHAR not null,
    interface VARCHAR not null,
    guard_fingerprint VARCHAR not null,
    newest_at TIMESTAMP not null,
    count_lines BIGINT not null,
    count_compactions BIGINT not null,
    count_failures BIGINT not null,
    expired_at TIMESTAMP not null
);
create table gate_results (
    audit VARCHAR not null,
    as_of TIMESTAMP not null,
    is_rehearsal BOOLEAN not null,
    interface VARCHAR not null,
    suite VARCHAR not null,
    expectation VARCHAR not null,
    severity VARCHAR not null,
    success BOOLEAN not null,
    observed BIGINT not null,
    offending STRUCT(offending_key VARCHAR, recorded_at TIMESTAMP)[] not null
);
create table layout_version (
    version INTEGER not null
);
create table raw_audit_lines (
    file VARCHAR not null,
    line_number INTEGER not null,
    line_bytes INTEGER not null,
    line_hash VARCHAR,
    spelling INTEGER,
    reject_reason VARCHAR,
    event_id VARCHAR,
    recorded_at TIMESTAMP,
    host VARCHAR,
    guard_version VARCHAR,
    guard_fingerprint VARCHAR,
    interface VARCHAR,
    agent VARCHAR,
    agent_version VARCHAR,
    model VARCHAR,
    event VARCHAR,
    source VARCHAR,
    trigger VARCHAR,
    delivery VARCHAR,
    session_hash VARCHAR,
    transcript_hash VARCHAR,
    turn_hash VARCHAR,
    transcript_bytes BIGINT,
    last_boundary_bytes BIGINT,
    checkpoint_hash VARCHAR,
    outcome VARCHAR,
    reason VARCHAR,
    origin VARCHAR,
    subagent BOOLEAN,
    duration_ms DOUBLE,
    counts VARCHAR,
    thread INTEGER
);
create table raw_events_repeated (
    event_id VARCHAR not null
);
create table raw_expectations_held (
    held_hash VARCHAR not null
);
create table raw_files (
    kind VARCHAR not null,
    file VARCHAR not null,
    inode VARCHAR not null,
    size_bytes BIGINT not null,
    modified_ns BIGINT not null,
    changed_ns BIGINT not null,
    seen_ns BIGINT not null,
    read_bytes BIGINT not null,
    read_lines BIGINT not null,
    head_hash VARCHAR not null,
    tail_hash VARCHAR not null,
    is_gone BOOLEAN not null
);
create table raw_files_left_out (
    kind VARCHAR not null,
    file VARCHAR not null
);
create table raw_models_built (
    as_of TIMESTAMP not null,
    grace_seconds DOUBLE not null,
    is_rehearsal BOOLEAN not null,
    has_transcripts BOOLEAN not null,
    models_hash VARCHAR not null
);
create table raw_notes (
    note_number INTEGER not null,
    note VARCHAR not null,
    is_lasting BOOLEAN not null,
    is_told BOOLEAN not null
);
create table raw_run_parameters (
    as_of TIMESTAMP not null,
    grace_seconds DOUBLE not null,
    natural_triggers VARCHAR[] not null,
    is_rehearsal BOOLEAN not null,
    guard_fingerprint VARCHAR
);
create table raw_spellings (
    spelling INTEGER not null,
    field_names VARCHAR[] not null,
    is_spaced BOOLEAN not null,
    second_digits INTEGER not null
);
create table raw_threads (
    thread INTEGER not null,
    session_hash VARCHAR not null,
    transcript_hash VARCHAR
);
create table raw_threads_touched (
    thread INTEGER not null
);
create table raw_transcript_events (
    file VARCHAR not null,
    event_number BIGINT not null,
    byte_offset BIGINT not null,
    kind VARCHAR not null,
    event_at TIMESTAMP,
    event_key VARCHAR,
    trigger VARCHAR,
    pre_tokens BIGINT,
    post_tokens BIGINT,
    records_hook_text BOOLEAN
);
create table raw_transcript_files (
    file VARCHAR not null,
    reject_reason VARCHAR,
    agent VARCHAR,
    transcript_hash VARCHAR,
    session_hash VARCHAR,
    interface VARCHAR,
    agent_version VARCHAR,
    complete_bytes BIGINT not null,
    file_bytes BIGINT not null,
    is_subagent BOOLEAN,
    is_slice BOOLEAN,
    records_hook_text BOOLEAN,
    lines_read BIGINT not null,
    objects_read BIGINT not null,
    unreadable_lines BIGINT not null,
    glued_lines BIGINT not null,
    invalid_utf8_lines BIGINT not null
);
create table verdicts (
    audit VARCHAR not null,
    as_of TIMESTAMP not null,
    evaluated_at TIMESTAMP not null,
    interface VARCHAR not null,
    verdict VARCHAR not null,
    is_rehearsal BOOLEAN not null,
    guard_fingerprint VARCHAR,
    natural_events BIGINT not null,
    sessions BIGINT not null,
    eligible_counted BIGINT not null,
    counted_failures BIGINT not null,
    unresolved BIGINT not null,
    orphan_injections BIGINT not null,
    witnessed_compactions BIGINT not null,
    outcomes VARCHAR not null,
    coverage DOUBLE,
    miss_rate_upper_bound DOUBLE,
    session_miss_rate_upper_bound DOUBLE,
    confidence DOUBLE not null,
    reasons VARCHAR[] not null,
    evidence_hash VARCHAR not null
);
