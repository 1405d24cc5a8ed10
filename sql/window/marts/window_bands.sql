-- question: where did the money go, by day, model and size of context?
-- grain:    one row per day, agent, model and band of 50,000 tokens of context
-- key:      responded_date, agent, model, context_band
-- reads:    window_turns
with

turns as (

    select
        -- Responses without a readable time are told apart, not dropped.
        coalesce(responded_date, date '0001-01-01') as responded_date,
        agent,
        coalesce(model, 'unknown') as model,
        context_band,
        is_main,
        context_tokens,
        cost_usd

    from window_turns

),

bands as (

    select
        responded_date,
        agent,
        model,
        context_band,
        count(*) as turns,
        count(*) filter (where is_main) as main_turns,
        sum(context_tokens)::bigint as context_tokens,
        coalesce(sum(cost_usd), 0) as cost_usd,
        coalesce(sum(cost_usd) filter (where is_main), 0) as main_cost_usd,
        count(*) filter (where cost_usd is null) as unpriced_turns

    from turns

    group by responded_date, agent, model, context_band

)

select * from bands
