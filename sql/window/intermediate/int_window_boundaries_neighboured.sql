-- question: which turn stands before each boundary, and which ones rebuild the cache after it?
-- grain:    one row per boundary of a file; the columns of a missing neighbour are null
-- key:      file_number, boundary_number
-- reads:    stg_window_boundaries, int_window_stretches
with

with_before as (

    select
        stg_window_boundaries.*,
        stretches.last_at as before_at,
        stretches.last_model as model_before,
        stretches.last_speed as speed_before,
        stretches.last_context_tokens as context_before,
        stretches.last_cache_read_tokens as cache_read_before,
        stretches.is_cached_1h,
        -- None where two boundaries touch: the turn before stands before both.
        case
            when stretches.boundary_number = stg_window_boundaries.boundary_number - 1
                then stretches.turns
            else 0
        end as turns_since_boundary

    from stg_window_boundaries

    asof left join int_window_stretches as stretches
        on
            stg_window_boundaries.file_number = stretches.file_number
            and stg_window_boundaries.boundary_number > stretches.boundary_number

),

with_after as (

    select
        with_before.*,
        stretches.first_at as after_at,
        stretches.first_model as model_after,
        stretches.first_context_tokens as context_after,
        stretches.first_cache_read_tokens as cache_read_after,
        stretches.first_cache_reads as cache_reads_after,
        stretches.first_cache_write_tokens as cache_write_after

    from with_before

    asof left join int_window_stretches as stretches
        on
            with_before.file_number = stretches.file_number
            and with_before.boundary_number <= stretches.boundary_number

),

with_rebuild as (

    select
        with_after.*,
        coalesce(stretches.rebuild_turns, 0) as rebuild_turns,
        -- Some models write their cache for nothing, and nothing is told of it: what is given anew
        -- is then what is paid for.
        case
            when
                stretches.rebuild_write_5m_tokens + stretches.rebuild_write_1h_tokens = 0
                then stretches.rebuild_input_tokens
            else 0
        end as rebuild_input_tokens,
        coalesce(stretches.rebuild_write_5m_tokens, 0) as rebuild_write_5m_tokens,
        coalesce(stretches.rebuild_write_1h_tokens, 0) as rebuild_write_1h_tokens,
        epoch(with_after.compacted_at - with_after.before_at) as seconds_since_turn,
        epoch(with_after.after_at - with_after.compacted_at) as seconds_to_turn

    from with_after

    left join int_window_stretches as stretches
        on
            with_after.file_number = stretches.file_number
            and with_after.boundary_number = stretches.boundary_number

)

select * from with_rebuild
