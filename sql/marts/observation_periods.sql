-- question: under which fingerprints was each interface observed, when, and which one is judged?
-- grain:    one row per interface and guard fingerprint
-- key:      interface, guard_fingerprint
-- reads:    int_lines_counted, stg_audit_lines, raw_run_parameters
with

-- Of all rows, subagents' included, so that no interface goes unmentioned.
accepted as (

    select
        counted.*,
        counted.event = 'pre_compact' and not counted.subagent as is_pre_compact,
        (counted.origin = 'natural' or raw_run_parameters.is_rehearsal) and not counted.subagent
            as is_natural,
        counted.origin = 'synthetic' and not counted.subagent as is_synthetic

    from int_lines_counted as counted

    cross join raw_run_parameters

),

-- The newest natural pre_compact row names the present period; without one the newest row does.
-- Of rows as new as that, the last one by its id.
newest_times as (

    select
        interface,
        max((is_natural and is_pre_compact, is_natural, newest_at)) as newest

    from accepted

    group by interface

),

candidates as (

    select distinct
        accepted.interface,
        accepted.guard_fingerprint,
        accepted.event,
        accepted.origin,
        accepted.subagent,
        accepted.newest_at

    from accepted

    inner join newest_times
        on
            accepted.interface = newest_times.interface
            and newest_times.newest = (
                accepted.is_natural and accepted.is_pre_compact,
                accepted.is_natural,
                accepted.newest_at
            )

),

newest as (

    select
        candidates.interface,
        arg_max(candidates.guard_fingerprint, lines.event_id) as guard_fingerprint

    from candidates

    inner join stg_audit_lines as lines
        on
            candidates.newest_at = lines.recorded_at
            and candidates.interface = lines.interface
            and candidates.guard_fingerprint = lines.guard_fingerprint
            and candidates.event = lines.event
            and candidates.origin = lines.origin
            and candidates.subagent = lines.subagent

    where lines.fate = 'accepted'

    group by candidates.interface

),

periods as (

    select
        interface,
        guard_fingerprint,
        min(first_at) filter (where is_natural) as first_natural_at,
        max(newest_at) filter (where is_natural) as last_natural_at,
        min(first_at) as first_at,
        coalesce(sum(count_lines) filter (where is_natural), 0)::bigint as count_natural_events,
        coalesce(sum(count_lines) filter (where is_synthetic), 0)::bigint
            as count_synthetic_events

    from accepted

    group by interface, guard_fingerprint

),

marked as (

    select
        periods.*,
        periods.guard_fingerprint
        = coalesce(raw_run_parameters.guard_fingerprint, newest.guard_fingerprint) as is_current

    from periods

    inner join newest
        on periods.interface = newest.interface

    cross join raw_run_parameters

)

select * from marked
