-- Layout 1 did not say on which audit log an expectation held, and of two logs judged as of one time
-- the later judged one's results took the place of the other's. The verdicts tell whose they are.
create table gate_results_of_one_log as
with judged_last as (
    select
        as_of,
        is_rehearsal,
        interface,
        arg_max(audit, evaluated_at) as audit
    from verdicts
    group by all
)

select
    judged_last.audit,
    gate_results.*
from gate_results
inner join judged_last
    on
        gate_results.as_of = judged_last.as_of
        and gate_results.is_rehearsal = judged_last.is_rehearsal
        and gate_results.interface = judged_last.interface;
drop table gate_results;
create table gate_results (
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
);
insert into gate_results from gate_results_of_one_log;
drop table gate_results_of_one_log;

-- Rows get the number of their thread, and several models are views now.
create table raw_threads (
    thread integer not null,
    session_hash varchar not null,
    transcript_hash varchar
);
insert into raw_threads
select
    row_number() over () as thread,
    session_hash,
    transcript_hash
from (
    select distinct session_hash, transcript_hash from raw_audit_lines
    where session_hash is not null
) as named;

create table raw_events_repeated (event_id varchar not null);
insert into raw_events_repeated
select event_id from raw_audit_lines group by event_id having count(*) > 1 and event_id is not null;

create table carried as
select
    file, line_number, line_bytes, line_hash, null::integer as spelling, reject_reason, event_id,
    recorded_at, host, guard_version, guard_fingerprint, interface, agent, agent_version, model,
    event, source, trigger, delivery, session_hash, transcript_hash, turn_hash, transcript_bytes,
    last_boundary_bytes, checkpoint_hash, outcome, reason, origin, subagent, duration_ms, counts,
    thread
from raw_audit_lines
left join (
    select thread, session_hash as session_of_thread, transcript_hash as transcript_of_thread
    from raw_threads
) as threads
on session_hash = session_of_thread
and transcript_hash is not distinct from transcript_of_thread;
drop table raw_audit_lines;
alter table carried rename to raw_audit_lines;
alter table raw_audit_lines alter column file set not null;
alter table raw_audit_lines alter column line_number set not null;
alter table raw_audit_lines alter column line_bytes set not null;

drop table if exists stg_audit_lines;
drop table if exists stg_audit_rows;
drop table if exists compactions;
drop table if exists present_compactions;
drop table if exists sessions_expirable;
drop table if exists int_pre_compacts_ordered;
drop table if exists int_transcripts_speaking;
drop table if exists int_compactions_latest;
drop table if exists int_session_starts_assigned;
drop table if exists int_receipts_assigned;
drop table if exists int_stretches_readable;
drop table if exists int_compactions_witnessed;
drop table if exists int_compaction_signs;
drop table if exists int_compactions_followed;
drop table if exists int_boundaries_located;
drop table if exists int_boundaries_unclaimed;
drop table if exists int_boundaries_placed;
