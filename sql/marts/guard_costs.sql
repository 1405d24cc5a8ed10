-- question: what did the guard take and give back in each present period?
-- grain:    one row per interface with a natural row in its present period
-- key:      interface
-- reads:    stg_audit_rows, observation_periods
-- long:     counts are taken apart in one look, and each rank of them has a column
with

present_rows as (

    select
        stg_audit_rows.interface,
        stg_audit_rows.event,
        stg_audit_rows.outcome,
        stg_audit_rows.duration_ms,
        stg_audit_rows.counts

    from stg_audit_rows

    inner join observation_periods as periods
        on
            stg_audit_rows.interface = periods.interface
            and stg_audit_rows.guard_fingerprint = periods.guard_fingerprint

    where periods.is_current and stg_audit_rows.is_natural

),

measured as (

    select
        interface,
        event,
        duration_ms,
        case when outcome = 'injected' then (counts ->> '$.characters')::double end
            as injected_characters,
        case when outcome = 'saved' then (counts ->> '$.redactions')::double end as redactions,
        -- All at once: each path by itself would parse the text again.
        case
            when event = 'post_compact'
                then json_extract_string(
                    counts,
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

    from present_rows

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
        interface,
        count(injected_characters) as count_injections_measured,
        median(injected_characters) as injected_characters_median,
        max(injected_characters) as injected_characters_max,
        median(duration_ms) filter (where event = 'pre_compact') as pre_compact_ms_median,
        quantile_cont(duration_ms, 0.9) filter (where event = 'pre_compact')
            as pre_compact_ms_p90,
        median(duration_ms) filter (where event = 'session_start') as session_start_ms_median,
        quantile_cont(duration_ms, 0.9) filter (where event = 'session_start')
            as session_start_ms_p90,
        median(duration_ms) filter (where event = 'post_compact') as post_compact_ms_median,
        quantile_cont(duration_ms, 0.9) filter (where event = 'post_compact')
            as post_compact_ms_p90,
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

    group by interface

)

select * from summed
