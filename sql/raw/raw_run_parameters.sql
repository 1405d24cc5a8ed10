-- question: as of when, and under which policy, is this evaluation made?
-- grain:    one row per evaluation at hand (a single one)
-- key:      as_of
-- reads:    nothing
create table if not exists raw_run_parameters (
    as_of timestamp not null,
    grace_seconds double not null,
    natural_triggers varchar[] not null,
    is_rehearsal boolean not null,
    guard_fingerprint varchar
)
