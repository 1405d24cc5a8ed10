-- question: how did the evidence of the present period grow day by day?
-- grain:    one row per interface and day (UTC) from its period's first row to the evaluation
-- key:      interface, evidence_date
-- reads:    observation_periods, int_lines_counted, compactions_counted, sessions_counted, raw_run_parameters
-- long:     four counts on one calendar; apart they would each repeat the days
with

periods as (

    select
        interface,
        guard_fingerprint,
        first_natural_at

    from observation_periods

    where is_current and first_natural_at is not null

),

days as (

    select
        periods.interface,
        unnest(
            generate_series(
                date_trunc('day', periods.first_natural_at),
                raw_run_parameters.as_of,
                interval 1 day
            )
        )::date as evidence_date

    from periods

    cross join raw_run_parameters

),

row_days as (

    select
        periods.interface,
        counted.recorded_date as evidence_date,
        sum(counted.count_lines) as count_natural_events

    from int_lines_counted as counted

    inner join periods
        on
            counted.interface = periods.interface
            and counted.guard_fingerprint = periods.guard_fingerprint

    cross join raw_run_parameters

    where
        not counted.subagent
        and (counted.origin = 'natural' or raw_run_parameters.is_rehearsal)

    group by periods.interface, counted.recorded_date

),

compaction_days as (

    select
        periods.interface,
        counted.recorded_date as evidence_date,
        sum(counted.count_compactions) filter (where counted.is_counted) as count_counted,
        sum(counted.count_compactions) filter (where counted.outcome in ('missed', 'duplicated'))
            as count_failures

    from compactions_counted as counted

    inner join periods
        on
            counted.interface = periods.interface
            and counted.guard_fingerprint = periods.guard_fingerprint

    where counted.is_natural

    group by periods.interface, counted.recorded_date

),

new_sessions as (

    select
        periods.interface,
        sessions.first_counted_date as evidence_date,
        count(*) as count_sessions

    from sessions_counted as sessions

    inner join periods
        on
            sessions.interface = periods.interface
            and sessions.guard_fingerprint = periods.guard_fingerprint

    group by periods.interface, sessions.first_counted_date

),

cumulated as (

    select
        days.interface,
        days.evidence_date,
        coalesce(compaction_days.count_failures, 0)::bigint as count_failures,
        coalesce(sum(row_days.count_natural_events) over so_far, 0)::bigint
            as natural_events_so_far,
        coalesce(sum(compaction_days.count_counted) over so_far, 0)::bigint as counted_so_far,
        coalesce(sum(compaction_days.count_failures) over so_far, 0)::bigint
            as failures_so_far,
        coalesce(sum(new_sessions.count_sessions) over so_far, 0)::bigint as sessions_so_far

    from days

    left join row_days
        on days.interface = row_days.interface and days.evidence_date = row_days.evidence_date

    left join compaction_days
        on
            days.interface = compaction_days.interface
            and days.evidence_date = compaction_days.evidence_date

    left join new_sessions
        on
            days.interface = new_sessions.interface
            and days.evidence_date = new_sessions.evidence_date

    window so_far as (partition by days.interface order by days.evidence_date)

)

select * from cumulated
