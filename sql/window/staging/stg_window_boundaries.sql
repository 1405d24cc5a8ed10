-- question: which compactions stand in each transcript's main session?
-- grain:    one row per boundary of a file, counted by the file alone
-- key:      file_number, boundary_number
-- reads:    raw_window_events, stg_window_files
with

boundaries as (

    select
        stg_window_files.file_number,
        stg_window_files.agent,
        raw_window_events.line_number,
        raw_window_events.event_key as boundary_key,
        try_cast(raw_window_events.event_at as timestamp) as compacted_at,
        raw_window_events.trigger,
        raw_window_events.tokens_before,
        raw_window_events.tokens_after,
        raw_window_events.duration_ms / 1000.0 as seconds,
        raw_window_events.duration_evidence as seconds_evidence,
        raw_window_events.summary_bytes,
        raw_window_events.call_key,
        raw_window_events.agent_version

    from raw_window_events

    inner join stg_window_files
        on raw_window_events.file_key = stg_window_files.file_key

    where
        raw_window_events.kind = 'boundary'
        and raw_window_events.is_main
        and not stg_window_files.is_subagent

),

numbered as (

    select
        boundaries.*,
        row_number() over (
            partition by file_number order by line_number, boundary_key
        )::integer as boundary_number,
        -- Forks and snapshots copy boundaries. The key alone may be a test's or an old file's.
        row_number() over (
            partition by agent, boundary_key, compacted_at, tokens_before
            order by file_number, line_number
        ) > 1 as is_copy

    from boundaries

)

select * from numbered
