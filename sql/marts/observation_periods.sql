-- question: under which fingerprints was each interface observed, when, and which one is judged?
-- grain:    one row per interface and guard fingerprint
-- key:      interface, guard_fingerprint
-- reads:    stg_audit_lines, stg_audit_rows, raw_run_parameters
with

-- Of all rows, subagents' included, so that no interface goes unmentioned.
accepted as (

    select
        lines.interface,
        lines.guard_fingerprint,
        lines.event_id,
        lines.recorded_at,
        coalesce(main_rows.event = 'pre_compact', false) as is_pre_compact,
        coalesce(main_rows.is_natural, false) as is_natural,
        lines.origin = 'synthetic' and not lines.subagent as is_synthetic

    from stg_audit_lines as lines

    left join stg_audit_rows as main_rows
        on lines.event_id = main_rows.event_id

    where lines.fate = 'accepted'

),

-- The newest natural pre_compact row names the present period; without one the newest row does.
newest as (

    select
        interface,
        arg_max(
            guard_fingerprint,
            (is_natural and is_pre_compact, is_natural, recorded_at, event_id)
        ) as guard_fingerprint

    from accepted

    group by interface

),

periods as (

    select
        interface,
        guard_fingerprint,
        min(recorded_at) filter (where is_natural) as first_natural_at,
        max(recorded_at) filter (where is_natural) as last_natural_at,
        min(recorded_at) as first_at,
        count(*) filter (where is_natural) as count_natural_events,
        count(*) filter (where is_synthetic) as count_synthetic_events

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
