-- question: in which order did the compactions of a session begin, and which row came next?
-- grain:    one row per pre_compact row of a main session
-- key:      event_id
-- reads:    stg_audit_rows
with

pre_compacts as (

    select * from stg_audit_rows

    where event = 'pre_compact'

),

-- Clocks step back, transcripts only grow: offsets order the rows, and a row without one
-- stands where its clock puts it among those that have one.
positioned as (

    select
        pre_compacts.*,
        coalesce(
            transcript_bytes,
            max(transcript_bytes) over (
                partition by thread
                order by recorded_at, event_id
                rows between unbounded preceding and 1 preceding
            ),
            -1
        ) as position_bytes

    from pre_compacts

),

ordered as (

    select
        positioned.*,
        row_number() over in_order as compaction_number,
        lead(event_id) over in_order as next_event_id,
        lead(transcript_bytes) over in_order as next_transcript_bytes,
        lead(last_boundary_bytes) over in_order as next_last_boundary_bytes,
        min(transcript_bytes) over (
            partition by thread
            order by position_bytes, recorded_at, event_id
            rows between 1 following and unbounded following
        ) as next_known_bytes

    from positioned

    window in_order as (
        partition by thread order by position_bytes, recorded_at, event_id
    )

)

select * from ordered
