-- question: which boundaries of readable transcripts belong to no pre_compact row?
-- grain:    one row per boundary, whatever number of transcripts it was copied to
-- key:      event_key
-- reads:    int_pre_compacts_ordered, int_stretches_readable, int_compactions_witnessed, stg_transcript_files, stg_transcript_events
with

boundaries as (

    select * from stg_transcript_events

    where kind = 'boundary'

),

-- The stretch a boundary lies in: behind the last row that had read less than up to it.
located as (

    select
        boundaries.transcript_hash,
        boundaries.event_number,
        arg_max(
            pre_compacts.event_id, (pre_compacts.transcript_bytes, pre_compacts.compaction_number)
        ) as pre_event_id

    from boundaries

    left join int_pre_compacts_ordered as pre_compacts
        on
            boundaries.transcript_hash = pre_compacts.transcript_hash
            and boundaries.byte_offset >= pre_compacts.transcript_bytes

    group by boundaries.transcript_hash, boundaries.event_number

),

first_rows as (

    select
        transcript_hash,
        min(transcript_bytes) as first_row_bytes

    from int_pre_compacts_ordered

    group by transcript_hash

),

-- What lies before the first row is a stretch of its own; without any row, the whole file is.
damaged_heads as (

    select distinct files.transcript_hash from stg_transcript_files as files

    left join first_rows
        on files.transcript_hash = first_rows.transcript_hash

    left join stg_transcript_events as events
        on
            files.transcript_hash = events.transcript_hash
            and events.kind = 'unreadable'
            and coalesce(events.byte_offset < first_rows.first_row_bytes, true)

    where
        events.transcript_hash is not null
        or coalesce(files.complete_bytes < first_rows.first_row_bytes, false)

),

-- A row without an offset claims a boundary of its stretch too, nobody knows which.
vague_rows as (

    select
        ordered.transcript_hash,
        offsets.event_id as pre_event_id,
        count(*) as count_rows

    from int_pre_compacts_ordered as ordered

    left join int_pre_compacts_ordered as offsets
        on
            ordered.thread = offsets.thread
            and ordered.position_bytes = offsets.transcript_bytes

    where ordered.transcript_bytes is null

    group by ordered.transcript_hash, offsets.event_id

),

unclaimed as (

    select
        boundaries.*,
        coalesce(located.pre_event_id, 'none') as after_event_id,
        coalesce(vague_rows.count_rows, 0) as count_vague_rows

    from boundaries

    inner join located
        on
            boundaries.transcript_hash = located.transcript_hash
            and boundaries.event_number = located.event_number

    left join vague_rows
        on
            boundaries.transcript_hash = vague_rows.transcript_hash
            and located.pre_event_id is not distinct from vague_rows.pre_event_id

    left join int_stretches_readable as readable
        on located.pre_event_id = readable.event_id

    left join damaged_heads
        on boundaries.transcript_hash = damaged_heads.transcript_hash

    anti join int_compactions_witnessed as claimed
        on boundaries.event_key = claimed.boundary_key

    where
        case
            when located.pre_event_id is null then damaged_heads.transcript_hash is null
            else readable.event_id is not null
        end

),

-- Forks copy boundaries: the copy in the transcript that rows speak of is the one that counts.
numbered as (

    select
        unclaimed.*,
        row_number() over (
            partition by event_key
            order by first_rows.transcript_hash is null, unclaimed.transcript_hash, byte_offset
        ) as copy_number,
        row_number() over (
            partition by unclaimed.transcript_hash, after_event_id order by byte_offset
        ) - count_vague_rows as number_after

    from unclaimed

    left join first_rows
        on unclaimed.transcript_hash = first_rows.transcript_hash

),

once as (

    select * exclude (copy_number, count_vague_rows) from numbered

    where copy_number = 1 and number_after > 0

)

select * from once
