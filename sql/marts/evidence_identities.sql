-- question: by how much do the counts of each interface fail to add up?
-- grain:    one row per interface
-- key:      interface
-- reads:    interface_evidence, compactions, stg_audit_rows, int_session_starts_assigned
with

-- Counted from the rows themselves, on another path than the compactions are.
row_counts as (

    select
        stg_audit_rows.interface,
        stg_audit_rows.guard_fingerprint,
        count(*) filter (
            where stg_audit_rows.event = 'pre_compact'
            and stg_audit_rows.outcome in ('saved', 'empty', 'failed')
        ) as count_announced,
        count(*) filter (
            where int_session_starts_assigned.outcome = 'injected'
        ) as count_injected_rows,
        count(*) filter (
            where int_session_starts_assigned.outcome = 'injected'
            and int_session_starts_assigned.assignment in ('own', 'orphan')
        ) as count_injected_rows_placed

    from stg_audit_rows

    left join int_session_starts_assigned
        on stg_audit_rows.event_id = int_session_starts_assigned.event_id

    where stg_audit_rows.is_natural

    group by stg_audit_rows.interface, stg_audit_rows.guard_fingerprint

),

compaction_counts as (

    select
        interface,
        guard_fingerprint,
        count(*) filter (where outcome <> 'uncovered') as count_announced,
        count(*) filter (where is_counted and not is_eligible) as count_counted_not_eligible,
        count(*) - count(distinct compaction_id) as count_twice

    from compactions

    where is_natural

    group by interface, guard_fingerprint

),

differences as (

    select
        interface_evidence.interface,
        interface_evidence.count_compactions
        - interface_evidence.injected
        - interface_evidence.missed
        - interface_evidence.duplicated
        - interface_evidence.aborted
        - interface_evidence.deferred
        - interface_evidence.unconfirmed
        - interface_evidence.empty
        - interface_evidence.uncovered as compactions_without_outcome,
        coalesce(compaction_counts.count_twice, 0) as compactions_twice,
        coalesce(row_counts.count_announced, 0)
        - coalesce(compaction_counts.count_announced, 0) as pre_compacts_lost,
        coalesce(row_counts.count_injected_rows, 0)
        - coalesce(row_counts.count_injected_rows_placed, 0) as injections_unplaced,
        coalesce(compaction_counts.count_counted_not_eligible, 0) as counted_not_eligible,
        interface_evidence.orphan_injections

    from interface_evidence

    left join row_counts
        on
            interface_evidence.interface = row_counts.interface
            and interface_evidence.guard_fingerprint = row_counts.guard_fingerprint

    left join compaction_counts
        on
            interface_evidence.interface = compaction_counts.interface
            and interface_evidence.guard_fingerprint = compaction_counts.guard_fingerprint

)

select * from differences
