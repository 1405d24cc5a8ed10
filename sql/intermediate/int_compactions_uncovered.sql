-- question: which compactions happened although the agent ran no PreCompact hook?
-- grain:    one row per compaction without a pre_compact row
-- key:      compaction_id
-- reads:    int_uncovered_in_rows, int_boundaries_placed
with

in_rows as (

    select * from int_uncovered_in_rows

),

in_transcripts as (

    select * from int_boundaries_placed

),

-- The k-th behind a compaction is the same one, whichever witness tells of it.
together as (

    select
        coalesce(in_rows.event_id, in_transcripts.event_key) as compaction_id,
        coalesce(in_rows.thread, in_transcripts.thread) as thread,
        coalesce(in_rows.session_hash, in_transcripts.session_hash) as session_hash,
        coalesce(in_rows.transcript_hash, in_transcripts.transcript_hash) as transcript_hash,
        coalesce(in_rows.interface, in_transcripts.interface) as interface,
        coalesce(in_rows.guard_fingerprint, in_transcripts.guard_fingerprint)
            as guard_fingerprint,
        coalesce(in_rows.guard_version, in_transcripts.guard_version) as guard_version,
        coalesce(in_rows.agent_version, in_transcripts.agent_version) as agent_version,
        coalesce(in_rows.trigger, in_transcripts.trigger) as trigger,
        in_rows.delivery,
        coalesce(in_rows.origin, in_transcripts.origin) as origin,
        coalesce(in_rows.is_natural, in_transcripts.is_natural) as is_natural,
        coalesce(in_rows.recorded_at, in_transcripts.event_at) as recorded_at,
        null::varchar as checkpoint_hash,
        in_transcripts.event_key as boundary_key,
        'uncovered' as outcome,
        'uncovered' as detail,
        case
            when in_transcripts.event_key is not null then 'transcript'
            when in_rows.event = 'session_start' then 'session_start'
            else 'receipt'
        end as evidence,
        false as is_unresolved,
        in_transcripts.event_key is not null as is_witnessed

    from in_rows

    full join in_transcripts
        on
            in_rows.thread = in_transcripts.thread
            and in_rows.after_event_id = in_transcripts.after_event_id
            and in_rows.number_after = in_transcripts.number_after

    -- Without an interface or a period a boundary is listed, not counted.
    where in_rows.event_id is not null or in_transcripts.guard_fingerprint is not null

)

select * from together
