-- question: in which order did the compactions of a session begin, and which row came next?
-- grain:    one row per pre_compact row of a main session that did not step back for another
-- key:      row_id
-- reads:    int_rows_at_hand
-- built:    in passing
with

pre_compacts as (

    select
        row_id,
        event_id,
        thread,
        recorded_at,
        trigger,
        delivery,
        outcome,
        turn_hash,
        checkpoint_hash,
        transcript_bytes,
        last_boundary_bytes

    from int_rows_at_hand

    -- A run that stepped back for another is no compaction and no witness.
    where event = 'pre_compact' and not has_stepped_back

),

vague_threads as (

    select distinct thread from pre_compacts

    where transcript_bytes is null

),

-- Clocks step back, transcripts only grow: offsets order the rows, and a row without one
-- stands where its clock puts it among those that have one.
clocked as (

    select
        row_id,
        max(transcript_bytes) over (
            partition by thread
            order by recorded_at, event_id
            rows between unbounded preceding and 1 preceding
        ) as known_bytes

    from pre_compacts

    where thread in (select thread from vague_threads)

),

positioned as (

    select
        pre_compacts.*,
        coalesce(pre_compacts.transcript_bytes, clocked.known_bytes, -1) as position_bytes

    from pre_compacts

    left join clocked
        on pre_compacts.row_id = clocked.row_id

),

ordered as (

    select
        positioned.*,
        row_number() over in_order as compaction_number,
        lead(row_id) over in_order as next_row_id,
        lead(transcript_bytes) over in_order as next_transcript_bytes,
        lead(last_boundary_bytes) over in_order as next_last_boundary_bytes,
        min(transcript_bytes) over (
            in_order rows between 1 following and unbounded following
        ) as next_known_bytes

    from positioned

    window in_order as (
        partition by thread order by position_bytes, recorded_at, event_id
    )

)

select * from ordered
