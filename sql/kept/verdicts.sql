-- question: which verdicts were given, when, and on how much evidence?
-- grain:    one row per audit log, as-of time, interface and state of the evidence
-- key:      audit, is_rehearsal, as_of, interface, evidence_hash
-- reads:    nothing
create table if not exists verdicts (
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
)
