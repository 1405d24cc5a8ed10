-- question: which sessions are over and done, so that forgetting their rows changes no verdict?
-- grain:    one row per session, interface and guard fingerprint of a session that may be expired
-- key:      session_hash, interface, guard_fingerprint
-- reads:    stg_audit_lines, observation_periods, compactions
-- built:    as view
with

session_lines as (

    select
        session_hash,
        interface,
        guard_fingerprint,
        recorded_at,
        fate

    from stg_audit_lines

    where session_hash is not null

),

present as (

    select
        interface,
        first_natural_at

    from observation_periods

    where is_current

),

-- A compaction that may still be delivered must not become an orphan injection.
open_sessions as (

    select distinct session_hash from compactions

    where outcome = 'deferred' or is_unresolved

),

-- Wholly before the present period of each of its interfaces, whatever its fingerprints.
closed as (

    select session_lines.session_hash

    from session_lines

    left join present
        on session_lines.interface = present.interface

    where session_lines.session_hash not in (select session_hash from open_sessions)

    group by session_lines.session_hash

    having
        bool_and(session_lines.recorded_at < present.first_natural_at) is true
        and count(*) filter (where present.first_natural_at is null) = 0
        and count(*) filter (where session_lines.fate = 'after_as_of') = 0

),

compaction_counts as (

    select
        session_hash,
        interface,
        guard_fingerprint,
        count(*) as count_compactions,
        count(*) filter (where outcome in ('missed', 'duplicated')) as count_failures

    from compactions

    where is_natural

    group by session_hash, interface, guard_fingerprint

),

counted as (

    select
        session_hash,
        interface,
        guard_fingerprint,
        max(recorded_at) as newest_at,
        count(*) as count_lines

    from session_lines

    group by session_hash, interface, guard_fingerprint

),

expirable as (

    select
        counted.session_hash,
        counted.interface,
        counted.guard_fingerprint,
        max(counted.newest_at) over (partition by counted.session_hash) as newest_at,
        counted.count_lines,
        coalesce(compaction_counts.count_compactions, 0) as count_compactions,
        coalesce(compaction_counts.count_failures, 0) as count_failures

    from counted

    inner join closed
        on counted.session_hash = closed.session_hash

    left join compaction_counts
        on
            counted.session_hash = compaction_counts.session_hash
            and counted.interface = compaction_counts.interface
            and counted.guard_fingerprint = compaction_counts.guard_fingerprint

)

select * from expirable
