-- question: which compaction had begun last, by the clock, when each other hook ran?
-- grain:    one row per session_start or post_compact row of a main session
-- key:      event_id
-- reads:    stg_audit_rows, int_pre_compacts_ordered
with

marked as (

    select
        stg_audit_rows.event_id,
        stg_audit_rows.thread,
        stg_audit_rows.turn_hash,
        stg_audit_rows.recorded_at,
        pre_compacts.event_id as pre_event_id,
        pre_compacts.compaction_number

    from stg_audit_rows

    left join int_pre_compacts_ordered as pre_compacts
        on stg_audit_rows.event_id = pre_compacts.event_id

),

-- Hooks that ran at the same time ran in the order of a compaction.
clocked as (

    select
        marked.*,
        last_value(pre_event_id ignore nulls) over (
            partition by thread
            order by recorded_at, pre_event_id is null, compaction_number
            rows between unbounded preceding and current row
        ) as latest_event_id,
        last_value(pre_event_id ignore nulls) over (
            partition by thread, turn_hash
            order by recorded_at, pre_event_id is null, compaction_number
            rows between unbounded preceding and current row
        ) as latest_of_turn_event_id

    from marked

),

others as (

    select
        event_id,
        latest_event_id,
        case when turn_hash is not null then latest_of_turn_event_id end
            as latest_of_turn_event_id

    from clocked

    where pre_event_id is null

)

select * from others
