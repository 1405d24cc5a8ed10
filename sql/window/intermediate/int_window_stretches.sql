-- question: with which turns does each stretch between two boundaries begin and end?
-- grain:    one row per file and stretch that has a turn; stretch 0 precedes all boundaries
-- key:      file_number, boundary_number
-- reads:    int_window_turns_placed
with

-- The cache is whole again at the first turn that reads (nearly) all that the turn before it
-- was given; the turns up to there rebuild it.
marked as (

    select
        file_number,
        boundary_number,
        min(turn_number) filter (where cache_read_tokens >= 0.9 * context_tokens_before)
            as first_whole_turn

    from int_window_turns_placed

    group by file_number, boundary_number

),

stretches as (

    select
        turns.file_number,
        turns.boundary_number,
        count(*) as turns,
        min_by(turns.responded_at, turns.turn_number) as first_at,
        min_by(turns.model, turns.turn_number) as first_model,
        min_by(turns.context_tokens, turns.turn_number) as first_context_tokens,
        min_by(turns.cache_read_tokens, turns.turn_number) as first_cache_read_tokens,
        min_by(turns.cache_write_5m_tokens + turns.cache_write_1h_tokens, turns.turn_number)
            as first_cache_write_tokens,
        list(turns.cache_read_tokens order by turns.turn_number) filter (
            where turns.turn_number <= 3
        ) as first_cache_reads,
        max_by(turns.responded_at, turns.turn_number) as last_at,
        max_by(turns.model, turns.turn_number) as last_model,
        max_by(turns.speed, turns.turn_number) as last_speed,
        max_by(turns.context_tokens, turns.turn_number) as last_context_tokens,
        max_by(turns.cache_read_tokens, turns.turn_number) as last_cache_read_tokens,
        max_by(turns.cache_write_1h_tokens, turns.turn_number) > 0 as is_cached_1h,
        count(*) filter (where turns.turn_number < marked.first_whole_turn) as rebuild_turns,
        coalesce(
            sum(turns.input_tokens) filter (where turns.turn_number < marked.first_whole_turn),
            0
        )::bigint as rebuild_input_tokens,
        coalesce(
            sum(turns.cache_write_5m_tokens) filter (
                where turns.turn_number < marked.first_whole_turn
            ),
            0
        )::bigint as rebuild_write_5m_tokens,
        coalesce(
            sum(turns.cache_write_1h_tokens) filter (
                where turns.turn_number < marked.first_whole_turn
            ),
            0
        )::bigint as rebuild_write_1h_tokens

    from int_window_turns_placed as turns

    inner join (
        select
            file_number,
            boundary_number,
            -- Never whole again: every turn of the stretch rebuilds.
            coalesce(first_whole_turn, 9223372036854775807) as first_whole_turn

        from marked
    ) as marked
        on
            turns.file_number = marked.file_number
            and turns.boundary_number = marked.boundary_number

    group by turns.file_number, turns.boundary_number

)

select * from stretches
