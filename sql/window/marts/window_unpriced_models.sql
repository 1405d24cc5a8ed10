-- question: which models have no price, and how much of the work was theirs?
-- grain:    one row per model and speed without a price
-- key:      model, speed
-- reads:    window_turns
with

unpriced as (

    select
        coalesce(model, 'unknown') as model,
        speed,
        count(*) as turns,
        sum(context_tokens)::bigint as context_tokens,
        min(responded_at) as first_at

    from window_turns

    where cost_usd is null

    group by all

)

select * from unpriced
