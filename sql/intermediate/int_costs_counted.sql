-- question: what do the counts of each thread's hook runs add up to?
-- grain:    one row per thread, interface, guard fingerprint and whether its rows are natural
-- key:      thread, interface, guard_fingerprint, is_natural
-- reads:    stg_audit_rows, int_threads_touched
-- built:    by thread
with

measured as (

    select
        stg_audit_rows.thread,
        stg_audit_rows.interface,
        stg_audit_rows.guard_fingerprint,
        stg_audit_rows.is_natural,
        case
            when stg_audit_rows.outcome = 'injected'
                then (stg_audit_rows.counts ->> '$.characters')::double
        end as injected_characters,
        case
            when stg_audit_rows.outcome = 'saved'
                then (stg_audit_rows.counts ->> '$.redactions')::double
        end as redactions,
        -- All at once: each path by itself would parse the text again.
        case
            when stg_audit_rows.event = 'post_compact'
                then json_extract_string(
                    stg_audit_rows.counts,
                    [
                        '$.rescued_corrections',
                        '$.rescued_decisions',
                        '$.rescued_constraints',
                        '$.rescued_tasks',
                        '$.rescued_evidence',
                        '$.rescued_recent'
                    ]
                )
        end as receipt_counts

    from stg_audit_rows

    semi join int_threads_touched
        on stg_audit_rows.thread = int_threads_touched.thread

),

rescued as (

    select
        measured.* exclude (receipt_counts),
        receipt_counts[1]::double as rescued_corrections,
        receipt_counts[2]::double as rescued_decisions,
        receipt_counts[3]::double as rescued_constraints,
        receipt_counts[4]::double as rescued_tasks,
        receipt_counts[5]::double as rescued_evidence,
        receipt_counts[6]::double as rescued_recent

    from measured

),

summed as (

    select
        thread,
        interface,
        guard_fingerprint,
        is_natural,
        list(injected_characters order by injected_characters)
            filter (where injected_characters is not null) as injected_characters,
        sum(redactions) as redactions,
        count(
            coalesce(
                rescued_corrections, rescued_decisions, rescued_constraints, rescued_tasks,
                rescued_evidence, rescued_recent
            )
        ) as count_receipts_measured,
        sum(rescued_corrections) as rescued_corrections,
        sum(rescued_decisions) as rescued_decisions,
        sum(rescued_constraints) as rescued_constraints,
        sum(rescued_tasks) as rescued_tasks,
        sum(rescued_evidence) as rescued_evidence,
        sum(rescued_recent) as rescued_recent

    from rescued

    group by thread, interface, guard_fingerprint, is_natural

)

select * from summed
