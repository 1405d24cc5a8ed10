-- question: which stretch of the transcript witnesses each begun compaction, if any does?
-- grain:    one row per pre_compact row whose stretch of the transcript is at hand and readable
-- key:      event_id
-- reads:    int_pre_compacts_ordered, stg_transcript_files, stg_transcript_events
with

-- From what had been read when the compaction began to where the next one began.
stretches as (

    select
        pre_compacts.event_id,
        pre_compacts.checkpoint_hash,
        files.transcript_hash,
        pre_compacts.transcript_bytes as first_byte,
        coalesce(pre_compacts.next_known_bytes, files.complete_bytes + 1) as end_byte

    from int_pre_compacts_ordered as pre_compacts

    inner join stg_transcript_files as files
        on pre_compacts.transcript_hash = files.transcript_hash

    -- A stale copy, which ends before a row that was written later, is no witness.
    where
        files.complete_bytes >= pre_compacts.transcript_bytes
        and files.complete_bytes >= coalesce(pre_compacts.next_known_bytes, 0)

),

damaged as (

    select distinct stretches.event_id from stretches

    inner join stg_transcript_events as events
        on
            stretches.transcript_hash = events.transcript_hash
            and events.kind = 'unreadable'
            and events.byte_offset >= stretches.first_byte
            and events.byte_offset < stretches.end_byte

),

readable as (

    select stretches.* from stretches

    anti join damaged
        on stretches.event_id = damaged.event_id

)

select * from readable
