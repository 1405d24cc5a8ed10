-- question: by how much do the counts of each interface fail to add up?
-- grain:    one row per interface
-- key:      interface
-- reads:    interface_evidence, compaction_findings
with

counted as (

    select
        interface_evidence.interface,
        count(*) filter (where finding = 'pre_compacts_lost') as pre_compacts_lost,
        count(*) filter (where finding = 'compactions_invented') as compactions_invented,
        count(*) filter (where finding = 'compactions_twice') as compactions_twice,
        count(*) filter (where finding = 'injections_unplaced') as injections_unplaced,
        count(*) filter (where finding = 'injections_not_arrived') as injections_not_arrived,
        count(*) filter (where finding = 'checkpoints_shared') as checkpoints_shared,
        count(*) filter (where finding = 'counted_not_eligible') as counted_not_eligible,
        count(*) filter (where finding = 'orphan_injections') as orphan_injections

    from interface_evidence

    left join compaction_findings
        on interface_evidence.interface = compaction_findings.interface

    group by interface_evidence.interface

),

totalled as (

    select
        counted.*,
        interface_evidence.count_compactions
        - interface_evidence.injected
        - interface_evidence.missed
        - interface_evidence.duplicated
        - interface_evidence.aborted
        - interface_evidence.deferred
        - interface_evidence.unconfirmed
        - interface_evidence.empty
        - interface_evidence.uncovered as compactions_without_outcome,
        interface_evidence.eligible
        - interface_evidence.injected
        - interface_evidence.missed
        - interface_evidence.duplicated as eligible_without_outcome,
        greatest(interface_evidence.eligible_counted - interface_evidence.eligible, 0)
            as counted_beyond_eligible

    from counted

    inner join interface_evidence
        on counted.interface = interface_evidence.interface

)

select * from totalled
