-- question: which sessions were expired from the warehouse, and what had become of them?
-- grain:    one row per audit log, session, interface and guard fingerprint that was expired
-- key:      audit, session_hash, interface, guard_fingerprint
-- reads:    nothing
create table if not exists expired_sessions (
    audit varchar not null,
    session_hash varchar not null,
    interface varchar not null,
    guard_fingerprint varchar not null,
    newest_at timestamp not null,
    count_lines bigint not null,
    count_compactions bigint not null,
    count_failures bigint not null,
    expired_at timestamp not null
)
