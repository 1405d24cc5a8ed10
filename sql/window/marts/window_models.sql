-- question: what did each model's work cost?
-- grain:    one row per agent and model
-- key:      agent, model
-- reads:    window_turns
with

models as (

    select
        agent,
        coalesce(model, 'unknown') as model,
        min(responded_at) as first_at,
        count(*) as turns,
        count(*) filter (where is_main) as main_turns,
        coalesce(sum(cost_usd), 0) as cost_usd,
        count(*) filter (where cost_usd is null) as unpriced_turns

    from window_turns

    group by all

)

select * from models
