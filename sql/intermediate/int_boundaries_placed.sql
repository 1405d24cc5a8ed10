-- question: which interface and observation period does each unclaimed boundary belong to?
-- grain:    one row per unclaimed boundary; interface is null where several are possible
-- key:      event_key
-- reads:    int_boundaries_unclaimed, stg_transcript_files, stg_audit_rows, int_lines_counted
-- built:    as temporary table
with

-- Of the session's own rows the latest before the boundary speaks, else the first.
session_rows as (

    select
        boundaries.event_key,
        arg_max(
            struct_pack(
                interface := audit.interface,
                session_hash := audit.session_hash,
                origin := audit.origin,
                is_natural := audit.is_natural
            ),
            (audit.recorded_at <= boundaries.event_at, audit.recorded_at, audit.event_id)
        ) as session

    from int_boundaries_unclaimed as boundaries

    inner join stg_audit_rows as audit
        on boundaries.thread = audit.thread

    group by boundaries.event_key

),

-- An agent that the log knows by one interface only has no other.
only_interfaces as (

    select
        agent,
        min(interface) as interface

    from int_lines_counted

    where not subagent

    group by agent

    having count(distinct interface) = 1

),

attributed as (

    select
        boundaries.*,
        coalesce(session_rows.session.interface, files.interface, only_interfaces.interface)
            as interface,
        coalesce(session_rows.session.session_hash, files.session_hash) as session_hash,
        coalesce(session_rows.session.origin, 'natural') as origin,
        coalesce(session_rows.session.is_natural, true) as is_natural,
        files.agent_version

    from int_boundaries_unclaimed as boundaries

    inner join stg_transcript_files as files
        on boundaries.file = files.file

    left join session_rows
        on boundaries.event_key = session_rows.event_key

    left join only_interfaces
        on files.agent = only_interfaces.agent

),

guards as (

    select
        audit.interface,
        audit.is_natural,
        audit.recorded_at,
        arg_max(audit.guard_fingerprint, audit.event_id) as guard_fingerprint,
        arg_max(audit.guard_version, audit.event_id) as guard_version

    from stg_audit_rows as audit

    semi join attributed
        on audit.interface = attributed.interface and audit.is_natural = attributed.is_natural

    group by audit.interface, audit.is_natural, audit.recorded_at

),

-- The guard in force was that of the interface's latest row of the same kind; before its first
-- row there was none, and the boundary is nobody's fault.
in_force as (

    select
        attributed.event_key,
        guards.guard_fingerprint,
        guards.guard_version

    from attributed

    asof join guards
        on
            attributed.interface = guards.interface
            and attributed.is_natural = guards.is_natural
            and attributed.event_at >= guards.recorded_at

),

placed as (

    select
        attributed.*,
        in_force.guard_fingerprint,
        in_force.guard_version

    from attributed

    left join in_force
        on attributed.event_key = in_force.event_key

)

select * from placed
