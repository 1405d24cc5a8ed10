-- question: what does each file, counted by itself, amount to?
-- grain:    one row per file given
-- key:      file_number
-- reads:    stg_window_files, raw_window_events, stg_window_turns
with

turn_counts as (

    select
        file_number,
        count(*) as turns,
        count(*) filter (where is_main) as main_turns,
        sum(input_tokens)::bigint as input_tokens,
        sum(output_tokens)::bigint as output_tokens,
        sum(cache_read_tokens)::bigint as cache_read_tokens,
        sum(cache_write_5m_tokens)::bigint as cache_write_5m_tokens,
        sum(cache_write_1h_tokens)::bigint as cache_write_1h_tokens,
        min(responded_at) as first_turn_at

    from stg_window_turns

    group by file_number

),

boundary_counts as (

    select
        file_key,
        count(*) as boundaries

    from raw_window_events

    where kind = 'boundary'

    group by file_key

),

files as (

    select
        stg_window_files.file_number,
        stg_window_files.file,
        stg_window_files.agent,
        stg_window_files.reject_reason,
        stg_window_files.is_subagent,
        stg_window_files.session_hash,
        stg_window_files.project_hash,
        stg_window_files.lines_read,
        stg_window_files.rejected_lines,
        stg_window_files.recovered_lines,
        stg_window_files.rejected,
        turn_counts.first_turn_at,
        coalesce(turn_counts.turns, 0) as turns,
        coalesce(turn_counts.main_turns, 0) as main_turns,
        coalesce(boundary_counts.boundaries, 0) as boundaries,
        coalesce(turn_counts.input_tokens, 0) as input_tokens,
        coalesce(turn_counts.output_tokens, 0) as output_tokens,
        coalesce(turn_counts.cache_read_tokens, 0) as cache_read_tokens,
        coalesce(turn_counts.cache_write_5m_tokens, 0) as cache_write_5m_tokens,
        coalesce(turn_counts.cache_write_1h_tokens, 0) as cache_write_1h_tokens

    from stg_window_files

    left join turn_counts
        on stg_window_files.file_number = turn_counts.file_number

    left join boundary_counts
        on stg_window_files.file_key = boundary_counts.file_key

)

select * from files
