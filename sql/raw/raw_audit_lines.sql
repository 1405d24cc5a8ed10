-- question: what stands in the audit logs, line by line, as received?
-- grain:    one row per non-blank line of an audit log file
-- key:      file, line_number
-- reads:    nothing
create table if not exists raw_audit_lines (
    file varchar not null,
    line_number integer not null,
    line_bytes integer not null,
    -- Not kept where the row's spelling gives the very line back, and so its hash.
    line_hash varchar,
    spelling integer,
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
    counts varchar,
    thread integer
)
