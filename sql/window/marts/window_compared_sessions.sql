-- question: what did each session that is compared cost for its turns, compactions included?
-- grain:    one row per session that is compared and has a priced turn of its main session
-- key:      agent, session_hash
-- reads:    window_turns, window_boundaries, int_window_sessions_placed, window_sessions
-- built:    as view
with

turn_sums as (

    select
        placed.agent,
        placed.session_hash,
        placed.period_name,
        count(*) as turns,
        sum(window_turns.cost_usd) as cost_usd,
        sum(window_turns.context_tokens)::bigint as context_tokens,
        sum(window_turns.output_tokens)::bigint as output_tokens,
        count(*) filter (where window_turns.is_output_stub) as stub_turns

    from window_turns

    inner join int_window_sessions_placed as placed
        on window_turns.file_number = placed.file_number

    where
        placed.is_compared
        and window_turns.is_main
        and window_turns.cost_usd is not null

    group by all

),

-- A call that the agent logs is among the turns.
call_sums as (

    select
        placed.agent,
        placed.session_hash,
        sum(window_boundaries.cost_usd) as cost_usd

    from window_boundaries

    inner join int_window_sessions_placed as placed
        on window_boundaries.file_number = placed.file_number

    where not window_boundaries.is_copy and window_boundaries.cost_is_estimated

    group by all

),

sessions as (

    select
        turn_sums.agent,
        turn_sums.session_hash,
        turn_sums.period_name,
        window_sessions.project_hash,
        window_sessions.main_model,
        window_sessions.started_at,
        turn_sums.turns,
        turn_sums.cost_usd + coalesce(call_sums.cost_usd, 0) as cost_usd,
        turn_sums.context_tokens,
        turn_sums.output_tokens,
        turn_sums.stub_turns

    from turn_sums

    inner join window_sessions
        on
            turn_sums.agent = window_sessions.agent
            and turn_sums.session_hash = window_sessions.session_hash

    left join call_sums
        on
            turn_sums.agent = call_sums.agent
            and turn_sums.session_hash = call_sums.session_hash

)

select * from sessions
