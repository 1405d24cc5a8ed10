-- question: what did each session do and cost, and when did it start?
-- grain:    one row per session of an agent; a file that names none is one by itself
-- key:      agent, session_hash
-- reads:    window_turns, window_boundaries, stg_window_files
with

turn_sessions as (

    select
        stg_window_files.agent,
        coalesce(stg_window_files.session_hash, stg_window_files.file_key) as session_hash,
        min(stg_window_files.project_hash) as project_hash,
        min(responded_at) as started_at,
        max(responded_at) as ended_at,
        mode(model) filter (where is_main) as main_model,
        list(distinct model order by model) filter (where model is not null) as models,
        count(*) filter (where is_main) as turns,
        count(*) filter (where not is_main) as subagent_turns,
        sum(cost_usd) filter (where is_main) as cost_usd,
        sum(cost_usd) filter (where not is_main) as subagent_cost_usd,
        count(*) filter (where cost_usd is null) as unpriced_turns,
        avg(context_tokens) filter (where is_main) as context_per_turn_mean,
        max(context_tokens) filter (where is_main) as peak_context_tokens

    from window_turns

    inner join stg_window_files
        on window_turns.file_number = stg_window_files.file_number

    group by
        stg_window_files.agent,
        coalesce(stg_window_files.session_hash, stg_window_files.file_key)

),

boundary_sessions as (

    select
        stg_window_files.agent,
        coalesce(stg_window_files.session_hash, stg_window_files.file_key) as session_hash,
        count(*) as boundaries,
        count(*) filter (where trigger = 'auto') as auto_boundaries,
        -- Codex logs neither trigger nor size: the turn before shows how large the context was.
        median(coalesce(tokens_before, context_before)) filter (
            where coalesce(trigger, 'auto') = 'auto'
        ) as auto_tokens_before,
        sum(seconds_waited) as seconds_waited

    from window_boundaries

    inner join stg_window_files
        on window_boundaries.file_number = stg_window_files.file_number

    where not window_boundaries.is_copy

    group by
        stg_window_files.agent,
        coalesce(stg_window_files.session_hash, stg_window_files.file_key)

),

sessions as (

    select
        turn_sessions.*,
        coalesce(boundary_sessions.boundaries, 0) as boundaries,
        coalesce(boundary_sessions.auto_boundaries, 0) as auto_boundaries,
        boundary_sessions.auto_tokens_before,
        boundary_sessions.seconds_waited

    from turn_sessions

    left join boundary_sessions
        on
            turn_sessions.agent = boundary_sessions.agent
            and turn_sessions.session_hash = boundary_sessions.session_hash

)

select * from sessions
