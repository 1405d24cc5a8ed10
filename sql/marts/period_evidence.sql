-- question: what does each observation period of each interface amount to?
-- grain:    one row per interface and guard fingerprint
-- key:      interface, guard_fingerprint
-- reads:    observation_periods, compactions_counted, sessions_counted, orphan_injections
-- long:     every outcome is a column, counted in one step and defaulted to zero in the next
with

periods as (

    select * from observation_periods

),

compaction_counts as (

    select
        interface,
        guard_fingerprint,
        sum(count_compactions) as count_compactions,
        sum(count_compactions) filter (where outcome = 'injected') as injected,
        sum(count_compactions) filter (where outcome = 'missed') as missed,
        sum(count_compactions) filter (where outcome = 'duplicated') as duplicated,
        sum(count_compactions) filter (where outcome = 'aborted') as aborted,
        sum(count_compactions) filter (where outcome = 'deferred') as deferred,
        sum(count_compactions) filter (where outcome = 'unconfirmed') as unconfirmed,
        sum(count_compactions) filter (where outcome = 'empty') as empty,
        sum(count_compactions) filter (where outcome = 'uncovered') as uncovered,
        sum(count_compactions) filter (where is_eligible) as eligible,
        sum(count_compactions) filter (where is_counted) as eligible_counted,
        sum(count_compactions) filter (where is_counted and outcome <> 'injected')
            as counted_failures,
        sum(count_compactions) filter (where is_unresolved) as unresolved,
        sum(count_compactions) filter (where is_witnessed) as witnessed_compactions,
        list(distinct agent_version order by agent_version) filter (where agent_version <> '')
            as agent_versions

    from compactions_counted

    where is_natural

    group by interface, guard_fingerprint

),

session_counts as (

    select
        interface,
        guard_fingerprint,
        count(*) as sessions,
        count(*) filter (where has_failed) as failed_sessions

    from sessions_counted

    group by interface, guard_fingerprint

),

orphan_counts as (

    select
        interface,
        guard_fingerprint,
        count(*) as orphan_injections

    from orphan_injections

    where is_natural

    group by interface, guard_fingerprint

),

joined as (

    select
        periods.interface,
        periods.guard_fingerprint,
        periods.is_current,
        periods.first_natural_at,
        periods.last_natural_at,
        periods.count_natural_events as natural_events,
        coalesce(compaction_counts.count_compactions, 0)::bigint as count_compactions,
        coalesce(compaction_counts.injected, 0)::bigint as injected,
        coalesce(compaction_counts.missed, 0)::bigint as missed,
        coalesce(compaction_counts.duplicated, 0)::bigint as duplicated,
        coalesce(compaction_counts.aborted, 0)::bigint as aborted,
        coalesce(compaction_counts.deferred, 0)::bigint as deferred,
        coalesce(compaction_counts.unconfirmed, 0)::bigint as unconfirmed,
        coalesce(compaction_counts.empty, 0)::bigint as empty,
        coalesce(compaction_counts.uncovered, 0)::bigint as uncovered,
        coalesce(compaction_counts.eligible, 0)::bigint as eligible,
        coalesce(compaction_counts.eligible_counted, 0)::bigint as eligible_counted,
        coalesce(compaction_counts.counted_failures, 0)::bigint as counted_failures,
        coalesce(session_counts.sessions, 0) as sessions,
        coalesce(session_counts.failed_sessions, 0) as failed_sessions,
        coalesce(compaction_counts.unresolved, 0)::bigint as unresolved,
        coalesce(compaction_counts.witnessed_compactions, 0)::bigint as witnessed_compactions,
        coalesce(compaction_counts.agent_versions, []) as agent_versions,
        coalesce(orphan_counts.orphan_injections, 0) as orphan_injections

    from periods

    left join compaction_counts
        on
            periods.interface = compaction_counts.interface
            and periods.guard_fingerprint = compaction_counts.guard_fingerprint

    left join session_counts
        on
            periods.interface = session_counts.interface
            and periods.guard_fingerprint = session_counts.guard_fingerprint

    left join orphan_counts
        on
            periods.interface = orphan_counts.interface
            and periods.guard_fingerprint = orphan_counts.guard_fingerprint

),

totalled as (

    select
        joined.*,
        injected + missed + duplicated + deferred + empty + uncovered as finished,
        1 - uncovered / nullif(injected + missed + duplicated + deferred + empty + uncovered, 0)
            as coverage,
        unresolved / nullif(eligible + unresolved, 0) as unresolved_share

    from joined

)

select * from totalled
