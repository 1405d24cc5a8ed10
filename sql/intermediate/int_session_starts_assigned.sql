-- question: which compaction does each session start after a compaction belong to?
-- grain:    one row per session_start row with source compact, or with a checkpoint, that did not step back for another
-- key:      row_id
-- reads:    int_rows_at_hand, int_pre_compacts_ordered, int_compactions_latest
-- built:    in passing
-- long:     own checkpoints, strangers and echoes are told apart in one decision
with

session_starts as (

    select
        row_id,
        event_id,
        thread,
        recorded_at,
        source,
        outcome,
        checkpoint_hash,
        -- Refused because it is another session's: its hash says nothing of this one.
        coalesce(reason in ('wrong_transcript', 'wrong_session'), false) as is_of_another

    from int_rows_at_hand

    where
        event = 'session_start'
        and (source = 'compact' or checkpoint_hash is not null)
        and not has_stepped_back

),

by_checkpoint as (

    select
        session_starts.row_id,
        arg_min(pre_compacts.row_id, pre_compacts.compaction_number) as pre_row_id

    from session_starts

    inner join int_pre_compacts_ordered as pre_compacts
        on
            session_starts.thread = pre_compacts.thread
            and session_starts.checkpoint_hash = pre_compacts.checkpoint_hash

    group by session_starts.row_id

),

candidates as (

    select
        session_starts.*,
        by_checkpoint.pre_row_id is not null as has_own_checkpoint,
        -- Without a checkpoint of its own only the clock is left.
        case
            when session_starts.checkpoint_hash is null then by_clock.latest_row_id
            when session_starts.is_of_another and by_checkpoint.pre_row_id is null
                then by_clock.latest_row_id
            else by_checkpoint.pre_row_id
        end as candidate_row_id

    from session_starts

    left join by_checkpoint
        on session_starts.row_id = by_checkpoint.row_id

    left join int_compactions_latest as by_clock
        on session_starts.row_id = by_clock.row_id

),

strangers as (

    select * from candidates

    where not has_own_checkpoint

),

-- Only where a start has no checkpoint of its own does it matter which one came first.
ranked as (

    select
        candidates.row_id,
        row_number() over (
            partition by candidates.candidate_row_id
            order by candidates.recorded_at, candidates.event_id
        ) as start_number,
        pre_compacts.delivery as expected_delivery

    from candidates

    inner join int_pre_compacts_ordered as pre_compacts
        on candidates.candidate_row_id = pre_compacts.row_id

    where candidates.candidate_row_id in (select candidate_row_id from strangers)

),

delivered as (

    select distinct
        thread,
        checkpoint_hash

    from strangers

    where outcome = 'injected'

),

assigned as (

    select
        candidates.row_id,
        candidates.thread,
        candidates.recorded_at,
        candidates.outcome,
        candidates.candidate_row_id,
        case
            when candidates.has_own_checkpoint then 'own'
            when candidates.checkpoint_hash is not null and candidates.outcome = 'injected'
                then 'orphan'
            -- Only a start after a compaction can tell of one, and an echo of an orphan does not.
            when candidates.source <> 'compact' then 'echo'
            when delivered.thread is not null then 'echo'
            when candidates.candidate_row_id is null then 'uncovered'
            when ranked.start_number = 1 then 'own'
            when ranked.expected_delivery = 'next_turn' then 'echo'
            else 'uncovered'
        end as assignment

    from candidates

    left join ranked
        on candidates.row_id = ranked.row_id

    left join delivered
        on
            candidates.thread = delivered.thread
            and candidates.checkpoint_hash = delivered.checkpoint_hash

)

select
    * exclude (candidate_row_id),
    case when assignment = 'own' then candidate_row_id end as pre_row_id

from assigned
