-- question: what did the sessions of each period cost per turn, and how often did they compact?
-- grain:    one row per period, over all of its sessions and over those that are compared
-- key:      period_name, is_compared
-- reads:    window_turns, window_boundaries, int_window_sessions_placed
-- built:    as view
with

scopes as (

    select unnest([true, false]) as is_compared

),

placed as (

    select
        int_window_sessions_placed.* exclude (is_compared),
        scopes.is_compared

    from int_window_sessions_placed

    inner join scopes
        on int_window_sessions_placed.is_compared or not scopes.is_compared

),

turn_periods as (

    select
        placed.period_name,
        placed.is_compared,
        min(responded_at) as from_at,
        max(responded_at) as to_at,
        count(distinct placed.session_hash) as sessions,
        count(distinct responded_date) as days,
        count(*) as turns,
        count(*) filter (where is_main) as main_turns,
        coalesce(sum(cost_usd), 0) as cost_usd,
        coalesce(sum(cost_usd) filter (where is_main), 0) as main_cost_usd,
        count(*) filter (where cost_usd is null) as unpriced_turns,
        count(*) filter (where is_main and is_output_stub) as stub_turns,
        avg(cost_usd) filter (where is_main) as cost_per_turn_mean_usd,
        quantile_cont(
            cost_usd, [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95]
        ) filter (where is_main) as cost_per_turn_quantiles_usd,
        avg(context_tokens) filter (where is_main) as context_per_turn_mean,
        quantile_cont(context_tokens, [0.5, 0.9]) filter (where is_main) as contexts,
        avg((context_tokens > placed.window_before_tokens)::integer) filter (where is_main)
            as share_above_old_window

    from window_turns

    inner join placed
        on window_turns.file_number = placed.file_number

    group by placed.period_name, placed.is_compared

),

boundary_periods as (

    select
        placed.period_name,
        placed.is_compared,
        count(*) as boundaries,
        sum(cost_usd) as compaction_cost_usd,
        sum(seconds_waited) as seconds_waited,
        count(*) filter (where coalesce(seconds, 0) = 0) as boundaries_untimed

    from window_boundaries

    inner join placed
        on window_boundaries.file_number = placed.file_number

    where not is_copy

    group by placed.period_name, placed.is_compared

),

periods as (

    select
        turn_periods.* exclude (contexts),
        cost_per_turn_quantiles_usd[6] as cost_per_turn_median_usd,
        cost_per_turn_quantiles_usd[10] as cost_per_turn_p90_usd,
        contexts[1] as context_per_turn_median,
        contexts[2] as context_per_turn_p90,
        coalesce(boundaries, 0) as boundaries,
        coalesce(compaction_cost_usd, 0) as compaction_cost_usd,
        coalesce(seconds_waited, 0) as seconds_waited,
        coalesce(boundaries_untimed, 0) as boundaries_untimed,
        coalesce(boundaries, 0) / nullif(main_turns, 0) as boundaries_per_turn,
        coalesce(boundaries, 0) / nullif(days, 0) as boundaries_per_day,
        coalesce(seconds_waited, 0) / nullif(days, 0) as seconds_waited_per_day

    from turn_periods

    left join boundary_periods
        on
            turn_periods.period_name = boundary_periods.period_name
            and turn_periods.is_compared = boundary_periods.is_compared

)

select * from periods
