-- question: under which conditions were checkpoints delivered, lost or left out?
-- grain:    one row per interface, agent version, trigger and expected delivery
-- key:      interface, agent_version, trigger, delivery
-- reads:    compactions_counted, observation_periods
with

present as (

    select counted.* from compactions_counted as counted

    inner join observation_periods as periods
        on
            counted.interface = periods.interface
            and counted.guard_fingerprint = periods.guard_fingerprint

    where periods.is_current and counted.is_natural

),

counted as (

    select
        interface,
        coalesce(nullif(agent_version, ''), 'unknown') as agent_version,
        coalesce(nullif(trigger, ''), 'unknown') as trigger,
        coalesce(nullif(delivery, ''), 'unknown') as delivery,
        coalesce(sum(count_compactions) filter (where outcome = 'injected'), 0)::bigint
            as delivered,
        coalesce(
            sum(count_compactions) filter (where is_eligible and outcome <> 'injected'), 0
        )::bigint as failed,
        coalesce(sum(count_compactions) filter (where not is_eligible), 0)::bigint as excluded

    from present

    group by all

)

select * from counted
