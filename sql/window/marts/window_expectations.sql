-- question: does the study contradict itself, and how much of the work has no price?
-- grain:    one row per expectation; observed is 0 where nothing speaks against it
-- key:      expectation
-- reads:    window_turns, window_bands, window_days, window_models, window_sessions, window_boundaries, window_waits
-- long:     one list of sums that must agree, each a line
with

totals as (

    select
        count(*) as turns,
        coalesce(sum(cost_usd), 0) as cost_usd,
        count(*) filter (where cost_usd is null) as unpriced_turns,
        count(*) filter (
            where least(
                input_tokens,
                output_tokens,
                cache_read_tokens,
                cache_write_5m_tokens,
                cache_write_1h_tokens,
                context_tokens
            ) < 0
        ) as negative_turns

    from window_turns

),

sums as (

    select *

    from (
        select
            coalesce(sum(turns), 0) as band_turns,
            coalesce(sum(cost_usd), 0) as band_cost_usd
        from window_bands
    ) as bands,
    (
        select
            coalesce(sum(turns), 0) as day_turns,
            coalesce(sum(cost_usd), 0) as day_cost_usd
        from window_days
    ) as days,
    (
        select
            coalesce(sum(turns), 0) as model_turns,
            coalesce(sum(cost_usd), 0) as model_cost_usd
        from window_models
    ) as models,
    (
        select coalesce(sum(turns + subagent_turns), 0) as session_turns
        from window_sessions
    ) as sessions,
    (
        select
            count(*) filter (where has_turn_before <> (context_before is not null))
                as boundaries_unmarked,
            count(*) filter (where not is_copy) as boundaries
        from window_boundaries
    ) as all_boundaries,
    (
        select coalesce(sum(boundaries), 0) as wait_boundaries
        from window_waits
    ) as waits

),

expectations as (

    select
        unnest([
            'bands_hold_every_turn',
            'bands_hold_every_dollar',
            'days_hold_every_turn',
            'days_hold_every_dollar',
            'models_hold_every_turn',
            'models_hold_every_dollar',
            'sessions_hold_every_turn',
            'no_tokens_are_negative',
            'boundaries_without_a_turn_before_are_marked',
            'waits_hold_every_boundary',
            'nearly_all_turns_have_a_price'
        ]) as expectation,
        unnest([
            abs(band_turns - turns)::double,
            round(abs(band_cost_usd - cost_usd), 6),
            abs(day_turns - turns)::double,
            round(abs(day_cost_usd - cost_usd), 6),
            abs(model_turns - turns)::double,
            round(abs(model_cost_usd - cost_usd), 6),
            abs(session_turns - turns)::double,
            negative_turns::double,
            boundaries_unmarked::double,
            abs(wait_boundaries - boundaries)::double,
            unpriced_turns / greatest(turns, 1)
        ]) as observed

    from totals, sums

)

select * from expectations
