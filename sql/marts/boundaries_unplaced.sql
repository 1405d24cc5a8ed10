-- question: which boundaries of transcripts belong to no interface that could be named?
-- grain:    one row per boundary without a pre_compact row whose interface is not known
-- key:      event_key
-- reads:    int_boundaries_placed
with

unplaced as (

    select
        event_key,
        transcript_hash,
        event_at,
        agent_version,
        trigger

    from int_boundaries_placed

    where interface is null

)

select * from unplaced
