-- Before 0.1.0 a warehouse knew neither its files nor a history. Its rows are read again.
drop table if exists raw_audit_lines;
drop table if exists raw_run_parameters;
drop table if exists raw_transcript_events;
drop table if exists raw_transcript_files;
-- What the next steps carry over is empty.
create table gate_results (
    as_of timestamp not null,
    is_rehearsal boolean not null,
    interface varchar not null,
    suite varchar not null,
    expectation varchar not null,
    severity varchar not null,
    success boolean not null,
    observed bigint not null,
    offending struct(offending_key varchar, recorded_at timestamp)[] not null
);
create table verdicts (
    audit varchar not null,
    as_of timestamp not null,
    evaluated_at timestamp not null,
    interface varchar not null,
    verdict varchar not null,
    is_rehearsal boolean not null,
    guard_fingerprint varchar,
    natural_events bigint not null,
    sessions bigint not null,
    eligible_counted bigint not null,
    counted_failures bigint not null,
    unresolved bigint not null,
    orphan_injections bigint not null,
    witnessed_compactions bigint not null,
    outcomes varchar not null,
    coverage double,
    miss_rate_upper_bound double,
    session_miss_rate_upper_bound double,
    confidence double not null,
    reasons varchar[] not null,
    evidence_hash varchar not null
);
create table raw_audit_lines (
    file varchar not null,
    line_number integer not null,
    line_bytes integer not null,
    line_hash varchar not null,
    reject_reason varchar,
    event_id varchar,
    recorded_at timestamp,
    host varchar,
    guard_version varchar,
    guard_fingerprint varchar,
    interface varchar,
    agent varchar,
    agent_version varchar,
    model varchar,
    event varchar,
    source varchar,
    trigger varchar,
    delivery varchar,
    session_hash varchar,
    transcript_hash varchar,
    turn_hash varchar,
    transcript_bytes bigint,
    last_boundary_bytes bigint,
    checkpoint_hash varchar,
    outcome varchar,
    reason varchar,
    origin varchar,
    subagent boolean,
    duration_ms double,
    counts varchar
);
