-- question: which API responses stand in each transcript?
-- grain:    one row per response of a file, counted by the file alone
-- key:      file_number, event_key
-- reads:    raw_window_events, stg_window_files
with

turns as (

    select
        stg_window_files.file_number,
        stg_window_files.agent,
        raw_window_events.line_number,
        raw_window_events.event_key,
        raw_window_events.copy_key,
        concat_ws('/', raw_window_events.thread_hash, raw_window_events.event_key)
            as response_key,
        try_cast(raw_window_events.event_at as timestamp) as responded_at,
        raw_window_events.is_main and not stg_window_files.is_subagent as is_main,
        coalesce(raw_window_events.is_compaction_call, false) as is_compaction_call,
        raw_window_events.model,
        case when raw_window_events.speed = 'fast' then 'fast' else 'standard' end as speed,
        raw_window_events.input_tokens,
        raw_window_events.output_tokens,
        raw_window_events.cache_read_tokens,
        raw_window_events.cache_write_5m_tokens,
        raw_window_events.cache_write_1h_tokens,
        raw_window_events.context_tokens

    from raw_window_events

    inner join stg_window_files
        on raw_window_events.file_key = stg_window_files.file_key

    where raw_window_events.kind = 'turn'

)

select * from turns
