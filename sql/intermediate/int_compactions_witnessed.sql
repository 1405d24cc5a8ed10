-- question: what does the transcript show of each begun compaction?
-- grain:    one row per pre_compact row that a transcript witnesses
-- key:      row_id
-- reads:    int_stretches_readable, int_events_at_hand
-- built:    in passing
with

readable as (

    select * from int_stretches_readable

),

events as (

    select * from int_events_at_hand

),

boundaries as (

    select
        readable.row_id,
        min(events.byte_offset) as boundary_offset,
        arg_min(events.event_key, events.byte_offset) as boundary_key,
        arg_min(events.records_hook_text, events.byte_offset) as records_hook_text

    from readable

    inner join events
        on
            readable.transcript_file = events.file
            and events.kind = 'boundary'
            and events.byte_offset >= readable.first_byte
            and events.byte_offset < readable.end_byte

    group by readable.row_id

),

-- Only what stands after the boundary can have followed from it.
arrivals as (

    select
        readable.row_id,
        count(*) as count_arrivals

    from readable

    inner join boundaries
        on readable.row_id = boundaries.row_id

    inner join events
        on
            readable.transcript_file = events.file
            and readable.checkpoint_hash = events.event_key
            and events.kind = 'injected_text'
            and events.byte_offset > boundaries.boundary_offset

    group by readable.row_id

),

followers as (

    select
        readable.row_id,
        min(events.byte_offset) filter (where events.kind = 'model_turn') as next_turn_offset,
        min(events.byte_offset) filter (where events.kind = 'user_prompt') as next_prompt_offset

    from readable

    inner join boundaries
        on readable.row_id = boundaries.row_id

    inner join events
        on
            readable.transcript_file = events.file
            and events.kind in ('model_turn', 'user_prompt')
            and events.byte_offset > boundaries.boundary_offset

    group by readable.row_id

),

witnessed as (

    select
        readable.row_id,
        readable.transcript_file,
        readable.is_readable_to_end,
        case when boundaries.row_id is null then 'contradicted' else 'finished' end
            as transcript_says,
        boundaries.boundary_offset,
        boundaries.boundary_key,
        coalesce(boundaries.records_hook_text, false) as records_hook_text,
        coalesce(arrivals.count_arrivals, 0) as count_arrivals,
        followers.next_turn_offset,
        followers.next_prompt_offset

    from readable

    left join boundaries
        on readable.row_id = boundaries.row_id

    left join arrivals
        on readable.row_id = arrivals.row_id

    left join followers
        on readable.row_id = followers.row_id

)

select * from witnessed
