-- question: what does each observation period of each interface amount to?
-- grain:    one row per interface and guard fingerprint
-- key:      interface, guard_fingerprint
-- reads:    observation_periods, compactions, orphan_injections
-- long:     every outcome is a column, counted in one step and defaulted to zero in the next
with

periods as (

    select * from observation_periods

),

compaction_counts as (

    select
        interface,
        guard_fingerprint,
        count(*) as count_compactions,
        count(*) filter (where outcome = 'injected') as injected,
        count(*) filter (where outcome = 'missed') as missed,
        count(*) filter (where outcome = 'duplicated') as duplicated,
        count(*) filter (where outcome = 'aborted') as aborted,
        count(*) filter (where outcome = 'deferred') as deferred,
        count(*) filter (where outcome = 'unconfirmed') as unconfirmed,
        count(*) filter (where outcome = 'empty') as empty,
        count(*) filter (where outcome = 'uncovered') as uncovered,
        count(*) filter (where is_eligible) as eligible,
        count(*) filter (where is_counted) as eligible_counted,
        count(*) filter (where is_counted and outcome <> 'injected') as counted_failures,
        count(distinct session_hash) filter (where is_counted) as sessions,
        count(distinct session_hash) filter (where is_counted and outcome <> 'injected')
            as failed_sessions,
        count(*) filter (where is_unresolved) as unresolved,
        count(*) filter (where is_witnessed) as witnessed_compactions,
        list(distinct agent_version order by agent_version) filter (where agent_version is not null)
            as agent_versions

    from compactions

    where is_natural

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
        coalesce(compaction_counts.count_compactions, 0) as count_compactions,
        coalesce(compaction_counts.injected, 0) as injected,
        coalesce(compaction_counts.missed, 0) as missed,
        coalesce(compaction_counts.duplicated, 0) as duplicated,
        coalesce(compaction_counts.aborted, 0) as aborted,
        coalesce(compaction_counts.deferred, 0) as deferred,
        coalesce(compaction_counts.unconfirmed, 0) as unconfirmed,
        coalesce(compaction_counts.empty, 0) as empty,
        coalesce(compaction_counts.uncovered, 0) as uncovered,
        coalesce(compaction_counts.eligible, 0) as eligible,
        coalesce(compaction_counts.eligible_counted, 0) as eligible_counted,
        coalesce(compaction_counts.counted_failures, 0) as counted_failures,
        coalesce(compaction_counts.sessions, 0) as sessions,
        coalesce(compaction_counts.failed_sessions, 0) as failed_sessions,
        coalesce(compaction_counts.unresolved, 0) as unresolved,
        coalesce(compaction_counts.witnessed_compactions, 0) as witnessed_compactions,
        coalesce(compaction_counts.agent_versions, []) as agent_versions,
        coalesce(orphan_counts.orphan_injections, 0) as orphan_injections

    from periods

    left join compaction_counts
        on
            periods.interface = compaction_counts.interface
            and periods.guard_fingerprint = compaction_counts.guard_fingerprint

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
