-- question: which compaction does each session start after a compaction belong to?
-- grain:    one row per session_start row with source compact, or with a checkpoint
-- key:      event_id
-- reads:    stg_audit_rows, int_pre_compacts_ordered, int_compactions_latest
with

session_starts as (

    select * from stg_audit_rows

    where event = 'session_start' and (source = 'compact' or checkpoint_hash is not null)

),

pre_compacts as (

    select * from int_pre_compacts_ordered

),

by_checkpoint as (

    select
        session_starts.event_id,
        min_by(pre_compacts.event_id, pre_compacts.compaction_number) as pre_event_id

    from session_starts

    inner join pre_compacts
        on
            session_starts.thread = pre_compacts.thread
            and session_starts.checkpoint_hash = pre_compacts.checkpoint_hash

    group by session_starts.event_id

),

candidates as (

    select
        session_starts.*,
        by_checkpoint.pre_event_id is not null as has_own_checkpoint,
        bool_or(session_starts.outcome = 'injected') over (
            partition by session_starts.thread, session_starts.checkpoint_hash
        ) as is_checkpoint_delivered,
        -- Without a checkpoint hash only the clock is left.
        case
            when session_starts.checkpoint_hash is null then by_clock.latest_event_id
            else by_checkpoint.pre_event_id
        end as candidate_event_id

    from session_starts

    left join by_checkpoint
        on session_starts.event_id = by_checkpoint.event_id

    left join int_compactions_latest as by_clock
        on session_starts.event_id = by_clock.event_id

),

ranked as (

    select
        candidates.*,
        row_number() over (
            partition by candidates.candidate_event_id
            order by candidates.recorded_at, candidates.event_id
        ) as start_number,
        pre_compacts.delivery as expected_delivery

    from candidates

    left join pre_compacts
        on candidates.candidate_event_id = pre_compacts.event_id

),

assigned as (

    select
        event_id,
        thread,
        recorded_at,
        outcome,
        reason,
        candidate_event_id,
        case
            when has_own_checkpoint then 'own'
            when checkpoint_hash is not null and outcome = 'injected' then 'orphan'
            -- Only a start after a compaction can tell of one, and an echo of an orphan does not.
            when source <> 'compact' then 'echo'
            when checkpoint_hash is not null and is_checkpoint_delivered then 'echo'
            when candidate_event_id is null then 'uncovered'
            when start_number = 1 then 'own'
            when expected_delivery = 'next_turn' then 'echo'
            else 'uncovered'
        end as assignment

    from ranked

)

select
    * exclude (candidate_event_id),
    case when assignment = 'own' then candidate_event_id end as pre_event_id

from assigned
