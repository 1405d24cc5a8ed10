-- question: under which conditions were checkpoints delivered, lost or left out?
-- grain:    one row per interface, agent version, trigger and expected delivery
-- key:      interface, agent_version, trigger, delivery
-- reads:    present_compactions
with

counted as (

    select
        interface,
        coalesce(agent_version, 'unknown') as agent_version,
        coalesce(trigger, 'unknown') as trigger,
        coalesce(delivery, 'unknown') as delivery,
        count(*) filter (where outcome = 'injected') as delivered,
        count(*) filter (where is_eligible and outcome <> 'injected') as failed,
        count(*) filter (where not is_eligible) as excluded

    from present_compactions

    group by all

)

select * from counted
