-- question: which expectations held, evaluation by evaluation, and what offended?
-- grain:    one row per evaluation of an audit log, interface and expectation
-- key:      audit, as_of, is_rehearsal, interface, suite, expectation
-- reads:    nothing
create table if not exists gate_results (
    audit varchar not null,
    as_of timestamp not null,
    is_rehearsal boolean not null,
    interface varchar not null,
    suite varchar not null,
    expectation varchar not null,
    severity varchar not null,
    success boolean not null,
    observed bigint not null,
    offending struct(offending_key varchar, recorded_at timestamp)[] not null
)
