-- question: which stretch of the transcript witnesses each begun compaction, if any does?
-- grain:    one row per pre_compact row whose stretch of the transcript is at hand and readable
-- key:      row_id
-- reads:    int_pre_compacts_ordered, int_transcripts_speaking, int_events_at_hand
-- built:    in passing
with

-- From what had been read when the compaction began to where the next one began.
stretches as (

    select
        pre_compacts.row_id,
        pre_compacts.checkpoint_hash,
        files.file as transcript_file,
        pre_compacts.transcript_bytes as first_byte,
        coalesce(pre_compacts.next_known_bytes, files.complete_bytes + 1) as end_byte

    from int_pre_compacts_ordered as pre_compacts

    inner join int_transcripts_speaking as files
        on pre_compacts.thread = files.thread

    -- A stale copy, which ends before a row that was written later, is no witness.
    where
        files.complete_bytes >= pre_compacts.transcript_bytes
        and files.complete_bytes >= coalesce(pre_compacts.next_known_bytes, 0)

),

damage as (

    select
        file,
        byte_offset

    from int_events_at_hand

    where kind = 'unreadable'

),

damaged as (

    select
        stretches.row_id,
        bool_or(damage.byte_offset < stretches.end_byte) as is_damaged

    from stretches

    inner join damage
        on
            stretches.transcript_file = damage.file
            and damage.byte_offset >= stretches.first_byte

    group by stretches.row_id

),

readable as (

    select
        stretches.*,
        -- Whether what came later can be read too, up to the end of the file.
        damaged.row_id is null as is_readable_to_end

    from stretches

    left join damaged
        on stretches.row_id = damaged.row_id

    where not coalesce(damaged.is_damaged, false)

)

select * from readable
