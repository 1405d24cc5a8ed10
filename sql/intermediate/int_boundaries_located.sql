-- question: behind which pre_compact row does each boundary stand, and can its stretch be read?
-- grain:    one row per boundary of a transcript, for every session that the file speaks for
-- key:      thread, event_number
-- reads:    int_pre_compacts_ordered, int_stretches_readable, int_transcripts_speaking, int_events_at_hand, int_vague_rows_counted, int_compactions_witnessed
-- built:    by thread
-- long:     place, readability and claim are of one boundary, and a later night needs them together
with

boundaries as (

    select
        files.thread,
        files.thread_name,
        files.first_row_at,
        events.*

    from int_transcripts_speaking as files

    inner join int_events_at_hand as events
        on files.file = events.file

    where events.kind = 'boundary'

),

-- Behind the last row that had read less than up to it.
behind as (

    select
        boundaries.thread,
        boundaries.event_number,
        arg_max(
            pre_compacts.row_id, (pre_compacts.transcript_bytes, pre_compacts.compaction_number)
        ) as pre_row_id

    from boundaries

    inner join int_pre_compacts_ordered as pre_compacts
        on
            boundaries.thread = pre_compacts.thread
            and boundaries.byte_offset >= pre_compacts.transcript_bytes

    group by boundaries.thread, boundaries.event_number

),

-- What lies before the first row is a stretch of its own; without any row, the whole file is.
heads as (

    select
        files.thread,
        files.file,
        files.complete_bytes,
        coalesce(min(pre_compacts.transcript_bytes), files.complete_bytes + 1) as end_byte,
        count(pre_compacts.transcript_bytes) > 0 as has_rows

    from int_transcripts_speaking as files

    left join int_pre_compacts_ordered as pre_compacts
        on files.thread = pre_compacts.thread

    group by files.thread, files.file, files.complete_bytes

),

readable_heads as (

    select heads.thread from heads

    anti join int_events_at_hand as events
        on
            heads.file = events.file
            and events.kind = 'unreadable'
            and events.byte_offset < heads.end_byte

    where not heads.has_rows or heads.complete_bytes >= heads.end_byte

),

claimed as (

    select distinct
        pre_compacts.thread,
        witnessed.boundary_key

    from int_compactions_witnessed as witnessed

    inner join int_pre_compacts_ordered as pre_compacts
        on witnessed.row_id = pre_compacts.row_id

),

located as (

    select
        boundaries.*,
        coalesce(pre_compacts.event_id, 'none') as after_event_id,
        case
            when behind.pre_row_id is null then readable_heads.thread is not null
            else readable.row_id is not null
        end as is_readable,
        claimed.thread is not null as is_claimed

    from boundaries

    left join behind
        on
            boundaries.thread = behind.thread
            and boundaries.event_number = behind.event_number

    left join int_pre_compacts_ordered as pre_compacts
        on behind.pre_row_id = pre_compacts.row_id

    left join int_stretches_readable as readable
        on behind.pre_row_id = readable.row_id

    left join readable_heads
        on boundaries.thread = readable_heads.thread

    left join claimed
        on
            boundaries.thread = claimed.thread
            and boundaries.event_key = claimed.boundary_key

),

numbered as (

    select
        located.*,
        coalesce(vague_rows.count_rows, 0) as count_vague_rows

    from located

    left join int_vague_rows_counted as vague_rows
        on
            located.thread = vague_rows.thread
            and located.after_event_id = vague_rows.after_event_id

)

select * from numbered
