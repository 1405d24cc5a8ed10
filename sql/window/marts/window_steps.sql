-- question: how did each session's context grow from turn to turn?
-- grain:    one row per turn of a main session, each response once over all files
-- key:      file_number, event_key
-- reads:    int_window_turns_placed, int_window_turns_repeated, stg_window_files, stg_window_turns
-- built:    as view
with

steps as (

    select
        turns.file_number,
        turns.event_key,
        turns.line_number,
        stg_window_files.agent,
        coalesce(stg_window_files.session_hash, stg_window_files.file_key) as session_hash,
        turns.model,
        turns.speed,
        turns.responded_at,
        turns.boundary_number,
        turns.turn_number,
        turns.context_tokens,
        turns.context_tokens - turns.context_tokens_before as grown_tokens,
        stg_window_turns.input_tokens,
        stg_window_turns.output_tokens,
        turns.cache_write_1h_tokens > 0 as is_cached_1h,
        -- Gone, and not by a boundary: the session was idle, or went on elsewhere.
        coalesce(
            turns.cache_read_tokens < 0.5 * turns.context_tokens_before, false
        ) as is_cache_cold

    from int_window_turns_placed as turns

    inner join stg_window_turns
        on
            turns.file_number = stg_window_turns.file_number
            and turns.event_key = stg_window_turns.event_key

    inner join stg_window_files
        on turns.file_number = stg_window_files.file_number

    anti join int_window_turns_repeated
        on
            turns.file_number = int_window_turns_repeated.file_number
            and turns.event_key = int_window_turns_repeated.event_key

)

select * from steps
