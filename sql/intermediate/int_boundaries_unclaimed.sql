-- question: which boundaries of readable transcripts belong to no pre_compact row?
-- grain:    one row per boundary, whatever number of transcripts it was copied to
-- key:      event_key
-- reads:    int_boundaries_located, int_compactions_witnessed, int_pre_compacts_ordered
-- built:    in passing
with

-- Forks copy boundaries: the copy of the session that began first is the one that counts. What
-- lies in a stretch that cannot be read may belong to its row, whatever a copy shows.
copies as (

    select
        located.*,
        bool_and(is_readable) over (partition by event_key) as is_readable_everywhere,
        row_number() over (
            partition by event_key order by first_row_at asc nulls last, thread_name asc, byte_offset asc
        ) as copy_number

    from int_boundaries_located as located

    anti join int_compactions_witnessed as claimed
        on located.event_key = claimed.boundary_key

),

-- A row without an offset claims a boundary of its stretch too, nobody knows which.
vague_rows as (

    select
        ordered.thread,
        offsets.row_id as pre_row_id,
        count(*) as count_rows

    from int_pre_compacts_ordered as ordered

    left join int_pre_compacts_ordered as offsets
        on
            ordered.thread = offsets.thread
            and ordered.position_bytes = offsets.transcript_bytes

    where ordered.transcript_bytes is null

    group by ordered.thread, offsets.row_id

),

numbered as (

    select
        copies.* exclude (is_readable, is_readable_everywhere, copy_number, pre_row_id),
        coalesce(pre_compacts.event_id, 'none') as after_event_id,
        row_number() over (
            partition by copies.thread, copies.pre_row_id order by copies.byte_offset
        ) - coalesce(vague_rows.count_rows, 0) as number_after

    from copies

    left join vague_rows
        on
            copies.thread = vague_rows.thread
            and copies.pre_row_id is not distinct from vague_rows.pre_row_id

    left join int_pre_compacts_ordered as pre_compacts
        on copies.pre_row_id = pre_compacts.row_id

    where copies.copy_number = 1 and copies.is_readable_everywhere

),

unclaimed as (

    select * from numbered

    where number_after > 0

)

select * from unclaimed
