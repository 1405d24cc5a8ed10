-- question: after which boundary of its file does each response of the main session stand?
-- grain:    one row per response of a file's main session that was given a context
-- key:      file_number, boundary_number, turn_number
-- reads:    stg_window_turns, stg_window_boundaries
with

-- The compaction's own call, and events without a context, are no turn of the conversation.
turns as (

    select
        file_number,
        line_number,
        event_key,
        responded_at,
        model,
        speed,
        input_tokens,
        cache_read_tokens,
        cache_write_5m_tokens,
        cache_write_1h_tokens,
        context_tokens

    from stg_window_turns

    where is_main and not is_compaction_call and context_tokens > 0

),

-- An interval join: `asof` would sort every turn once more.
boundaries as (

    select
        file_number,
        boundary_number,
        line_number as from_line,
        lead(line_number, 1, 9223372036854775807) over (
            partition by file_number order by boundary_number
        ) as to_line

    from stg_window_boundaries

),

placed as (

    select
        turns.*,
        coalesce(boundaries.boundary_number, 0) as boundary_number

    from turns

    left join boundaries
        on
            turns.file_number = boundaries.file_number
            and turns.line_number >= boundaries.from_line
            and turns.line_number < boundaries.to_line

),

numbered as (

    select
        placed.*,
        row_number() over in_stretch as turn_number,
        lag(context_tokens) over in_stretch as context_tokens_before

    from placed

    window in_stretch as (partition by file_number, boundary_number order by line_number)

)

select * from numbered
