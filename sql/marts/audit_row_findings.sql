-- question: which rows of the audit logs cannot be what a guard saw?
-- grain:    one row per finding and hook run
-- key:      finding, offending_key
-- reads:    stg_audit_lines, stg_audit_rows, int_pre_compacts_ordered, int_session_starts_assigned
with

judged_rows as (

    select
        event_id,
        count(*) as count_rows

    from stg_audit_rows

    group by event_id

),

-- A transcript only grows, so of two compactions the one that had read more began later.
in_order as (

    select
        event_id,
        recorded_at,
        lag(recorded_at) over (
            partition by thread order by compaction_number
        ) as previous_recorded_at

    from int_pre_compacts_ordered

),

stepped_back as (

    select event_id from in_order

    where recorded_at < previous_recorded_at

    union

    select starts.event_id from int_session_starts_assigned as starts

    inner join int_pre_compacts_ordered as pre_compacts
        on starts.pre_event_id = pre_compacts.event_id

    where starts.recorded_at < pre_compacts.recorded_at

),

flagged as (

    select
        lines.interface,
        lines.event_id as offending_key,
        lines.recorded_at,
        lines.fate = 'after_as_of' as rows_after_as_of,
        lines.fate = 'accepted' and not lines.subagent and judged_rows.event_id is null
            as rows_lost,
        judged_rows.count_rows > 1 as rows_repeated,
        stepped_back.event_id is not null as clocks_stepped_back,
        -- Claude Code ran the first hooks in July 2025: nothing to guard was there before.
        lines.recorded_at < timestamp '2025-07-01' as rows_before_any_guard,
        lines.last_boundary_bytes >= lines.transcript_bytes as boundaries_ahead_of_reading,
        not (
            regexp_full_match(lines.session_hash, '[0-9a-f]{64}')
            and coalesce(regexp_full_match(lines.transcript_hash, '[0-9a-f]{64}'), true)
            and coalesce(regexp_full_match(lines.checkpoint_hash, '[0-9a-f]{64}'), true)
        ) as rows_misshapen,
        -- Most words of a row come from closed lists; prose could only hide in these.
        not (
            regexp_full_match(lines.event_id, '[0-9a-f-]{16,64}')
            and regexp_full_match(lines.guard_version, '[0-9A-Za-z.+-]{1,40}')
            and regexp_full_match(lines.guard_fingerprint, '[0-9a-f]{12,64}')
            and coalesce(regexp_full_match(lines.agent_version, '[0-9A-Za-z.+-]{1,40}'), true)
            and regexp_full_match(
                coalesce(lines.counts::varchar, '{}'),
                '\{("[a-z_]{1,20}": ?(null|[0-9][0-9.eE+-]*),? ?)*\}'
            )
        ) as rows_with_free_text

    from stg_audit_lines as lines

    left join judged_rows
        on lines.event_id = judged_rows.event_id

    left join stepped_back
        on lines.event_id = stepped_back.event_id

    where lines.fate in ('accepted', 'after_as_of')

),

-- An event may be there twice when a table is damaged; it offends once.
found as (

    select
        finding,
        offending_key,
        min(interface) as interface,
        min(recorded_at) as recorded_at

    from (
        unpivot flagged
        on
            rows_after_as_of, rows_lost, rows_repeated, clocks_stepped_back,
            rows_before_any_guard, boundaries_ahead_of_reading, rows_misshapen,
            rows_with_free_text
        into name finding value is_found
    )

    where is_found

    group by finding, offending_key

)

select * from found
