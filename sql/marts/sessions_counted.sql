-- question: since when does each session count, and did a compaction of it fail?
-- grain:    one row per session with a counted compaction, interface and guard fingerprint
-- key:      session_hash, interface, guard_fingerprint
-- reads:    int_compactions_announced, raw_run_parameters
-- built:    by thread
with

counted as (

    select
        announced.session_hash,
        announced.interface,
        announced.guard_fingerprint,
        -- Threads of one session are judged anew together, so that any of them stands for all.
        min(announced.thread) as thread,
        -- A session counts from the day of its first counted compaction.
        min(announced.recorded_at)::date as first_counted_date,
        bool_or(announced.outcome <> 'injected') as has_failed

    from int_compactions_announced as announced

    cross join raw_run_parameters

    -- What no row announced is uncovered, and counts for no session.
    where
        announced.is_natural
        and announced.outcome in ('injected', 'missed', 'duplicated')
        and list_contains(raw_run_parameters.natural_triggers, announced.trigger)

    group by announced.session_hash, announced.interface, announced.guard_fingerprint

)

select * from counted
