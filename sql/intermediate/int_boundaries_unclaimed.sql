-- question: which boundaries of readable transcripts belong to no pre_compact row?
-- grain:    one row per boundary, whatever number of transcripts it was copied to
-- key:      event_key
-- reads:    int_boundaries_located
-- built:    as temporary table
with

claimed as (

    select event_key from int_boundaries_located

    where is_claimed

),

-- Forks copy boundaries: the copy of the session that began first is the one that counts. What
-- lies in a stretch that cannot be read may belong to its row, whatever a copy shows.
copies as (

    select
        located.* exclude (is_claimed),
        bool_and(is_readable) over (partition by event_key) as is_readable_everywhere,
        row_number() over (
            partition by event_key order by first_row_at asc nulls last, thread_name asc, byte_offset asc
        ) as copy_number

    from int_boundaries_located as located

    anti join claimed
        on located.event_key = claimed.event_key

),

numbered as (

    select
        * exclude (is_readable, is_readable_everywhere, copy_number, count_vague_rows),
        row_number() over (
            partition by thread, after_event_id order by byte_offset
        ) - count_vague_rows as number_after

    from copies

    where copy_number = 1 and is_readable_everywhere

),

unclaimed as (

    select * from numbered

    where number_after > 0

)

select * from unclaimed
