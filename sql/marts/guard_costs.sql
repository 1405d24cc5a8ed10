-- question: what did the guard take and give back in each present period?
-- grain:    one row per interface with a natural row in its present period
-- key:      interface
-- reads:    int_costs_counted, stg_audit_rows, observation_periods
-- long:     what hooks take is looked up in the rows, what they count in sums of threads
with

-- Of every period: to tell a million rows which period is theirs would cost as much again.
durations as (

    select
        interface,
        guard_fingerprint,
        event,
        quantile_cont(duration_ms, [0.5, 0.9]) as quantiles_ms

    from stg_audit_rows

    where is_natural

    group by interface, guard_fingerprint, event

),

timed as (

    select
        durations.interface,
        any_value(quantiles_ms) filter (where event = 'pre_compact') as pre_compact_ms,
        any_value(quantiles_ms) filter (where event = 'session_start') as session_start_ms,
        any_value(quantiles_ms) filter (where event = 'post_compact') as post_compact_ms

    from durations

    inner join observation_periods as periods
        on
            durations.interface = periods.interface
            and durations.guard_fingerprint = periods.guard_fingerprint

    where periods.is_current

    group by durations.interface

),

present as (

    select costs.* from int_costs_counted as costs

    inner join observation_periods as periods
        on
            costs.interface = periods.interface
            and costs.guard_fingerprint = periods.guard_fingerprint

    where periods.is_current and costs.is_natural

),

injections as (

    select
        interface,
        unnest(injected_characters) as characters

    from present

),

injected as (

    select
        interface,
        count(*) as count_injections_measured,
        median(characters) as injected_characters_median,
        max(characters) as injected_characters_max

    from injections

    group by interface

),

counted as (

    select
        interface,
        sum(redactions) as redactions,
        sum(count_receipts_measured)::bigint as count_receipts_measured,
        sum(rescued_corrections) as rescued_corrections,
        sum(rescued_decisions) as rescued_decisions,
        sum(rescued_constraints) as rescued_constraints,
        sum(rescued_tasks) as rescued_tasks,
        sum(rescued_evidence) as rescued_evidence,
        sum(rescued_recent) as rescued_recent

    from present

    group by interface

),

together as (

    select
        timed.interface,
        coalesce(injected.count_injections_measured, 0) as count_injections_measured,
        injected.injected_characters_median,
        injected.injected_characters_max,
        timed.pre_compact_ms[1] as pre_compact_ms_median,
        timed.pre_compact_ms[2] as pre_compact_ms_p90,
        timed.session_start_ms[1] as session_start_ms_median,
        timed.session_start_ms[2] as session_start_ms_p90,
        timed.post_compact_ms[1] as post_compact_ms_median,
        timed.post_compact_ms[2] as post_compact_ms_p90,
        counted.* exclude (interface)

    from timed

    inner join counted
        on timed.interface = counted.interface

    left join injected
        on timed.interface = injected.interface

)

select * from together
