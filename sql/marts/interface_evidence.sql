-- question: what does the present observation period of each interface amount to?
-- grain:    one row per interface
-- key:      interface
-- reads:    period_evidence, observation_periods, compactions_counted
with

periods as (

    select * from period_evidence

    where is_current

),

synthetic_counts as (

    select
        interface,
        sum(count_synthetic_events)::bigint as synthetic_events

    from observation_periods

    group by interface

),

outcome_counts as (

    select
        interface,
        outcome,
        sum(count_compactions)::bigint as count_compactions

    from compactions_counted

    where not is_natural

    group by interface, outcome

),

synthetic_outcomes as (

    select
        interface,
        map_from_entries(list((outcome, count_compactions) order by outcome)) as synthetic_outcomes

    from outcome_counts

    group by interface

),

joined as (

    select
        periods.*,
        synthetic_counts.synthetic_events,
        coalesce(synthetic_outcomes.synthetic_outcomes, map {}) as synthetic_outcomes

    from periods

    inner join synthetic_counts
        on periods.interface = synthetic_counts.interface

    left join synthetic_outcomes
        on periods.interface = synthetic_outcomes.interface

)

select * from joined
