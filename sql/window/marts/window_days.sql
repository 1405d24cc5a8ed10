-- question: what did each day's work cost, per turn, and how often did it compact?
-- grain:    one row per day
-- key:      responded_date
-- reads:    window_turns, window_boundaries, stg_window_files
with

turn_days as (

    select
        coalesce(responded_date, date '0001-01-01') as responded_date,
        count(*) as turns,
        count(*) filter (where is_main) as main_turns,
        count(distinct stg_window_files.session_hash) filter (where is_main) as sessions,
        coalesce(sum(cost_usd), 0) as cost_usd,
        coalesce(sum(cost_usd) filter (where is_main), 0) as main_cost_usd,
        count(*) filter (where cost_usd is null) as unpriced_turns,
        avg(cost_usd) filter (where is_main) as cost_per_turn_mean_usd,
        quantile_cont(cost_usd, [0.5, 0.9]) filter (where is_main) as costs_usd,
        avg(context_tokens) filter (where is_main) as context_per_turn_mean,
        quantile_cont(context_tokens, [0.5, 0.9]) filter (where is_main) as contexts

    from window_turns

    inner join stg_window_files
        on window_turns.file_number = stg_window_files.file_number

    group by all

),

boundary_days as (

    select
        coalesce(compacted_at::date, date '0001-01-01') as responded_date,
        count(*) as boundaries,
        sum(cost_usd) as compaction_cost_usd,
        sum(seconds_waited) as seconds_waited,
        count(*) filter (where coalesce(seconds, 0) = 0) as boundaries_untimed

    from window_boundaries

    where not is_copy

    group by all

),

days as (

    select
        coalesce(turn_days.responded_date, boundary_days.responded_date) as responded_date,
        coalesce(turns, 0) as turns,
        coalesce(main_turns, 0) as main_turns,
        coalesce(sessions, 0) as sessions,
        coalesce(cost_usd, 0) as cost_usd,
        coalesce(main_cost_usd, 0) as main_cost_usd,
        coalesce(unpriced_turns, 0) as unpriced_turns,
        cost_per_turn_mean_usd,
        costs_usd[1] as cost_per_turn_median_usd,
        costs_usd[2] as cost_per_turn_p90_usd,
        context_per_turn_mean,
        contexts[1] as context_per_turn_median,
        contexts[2] as context_per_turn_p90,
        coalesce(boundaries, 0) as boundaries,
        compaction_cost_usd,
        seconds_waited,
        coalesce(boundaries_untimed, 0) as boundaries_untimed

    from turn_days

    full join boundary_days
        on turn_days.responded_date = boundary_days.responded_date

)

select * from days
