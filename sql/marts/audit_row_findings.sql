-- question: which rows of the audit logs cannot be what a guard saw?
-- grain:    one row per finding and hook run
-- key:      finding, offending_key
-- reads:    raw_threads, stg_audit_lines, int_threads_touched, int_rows_at_hand, int_pre_compacts_ordered, int_session_starts_assigned
-- built:    by thread
-- long:     rows, words and hashes are looked at apart, for most are the same in many rows
with

lines as (

    select stg_audit_lines.* from stg_audit_lines

    semi join int_threads_touched
        on stg_audit_lines.thread = int_threads_touched.thread

    where stg_audit_lines.fate in ('accepted', 'after_as_of')

),

-- Ids are compared as numbers, which costs half; few are there twice, and those exactly.
judged_rows as (

    select
        hash(event_id) as event_number,
        count(*) as count_rows

    from int_rows_at_hand

    group by event_number

),

repeated_rows as (

    select event_id from int_rows_at_hand

    where hash(event_id) in (select event_number from judged_rows where count_rows > 1)

    group by event_id

    having count(*) > 1

),

-- A transcript only grows, so of two compactions the one that had read more began later.
in_order as (

    select
        row_id,
        recorded_at,
        lag(recorded_at) over (
            partition by thread order by compaction_number
        ) as previous_recorded_at

    from int_pre_compacts_ordered

),

stepped_back as (

    select row_id from in_order

    where recorded_at < previous_recorded_at

    union

    select starts.row_id from int_session_starts_assigned as starts

    inner join int_pre_compacts_ordered as pre_compacts
        on starts.pre_row_id = pre_compacts.row_id

    where starts.recorded_at < pre_compacts.recorded_at

),

stepped_back_events as (

    select rows.event_id from int_rows_at_hand as rows

    semi join stepped_back
        on rows.row_id = stepped_back.row_id

),

-- Most words of a row come from closed lists; prose could only hide in these.
spoken as (

    select distinct
        guard_version,
        guard_fingerprint,
        agent_version

    from lines

),

free_words as (

    select * from spoken

    where not (
        regexp_full_match(guard_version, '[0-9A-Za-z.+-]{1,40}')
        and regexp_full_match(guard_fingerprint, '[0-9a-f]{12,64}')
        and coalesce(regexp_full_match(agent_version, '[0-9A-Za-z.+-]{1,40}'), true)
    )

),

misshapen_threads as (

    select raw_threads.thread from raw_threads

    semi join int_threads_touched
        on raw_threads.thread = int_threads_touched.thread

    where not (
        regexp_full_match(raw_threads.session_hash, '[0-9a-f]{64}')
        and coalesce(regexp_full_match(raw_threads.transcript_hash, '[0-9a-f]{64}'), true)
    )

),

flagged as (

    select
        lines.interface,
        lines.event_id as offending_key,
        lines.thread,
        lines.recorded_at,
        lines.fate = 'after_as_of' as rows_after_as_of,
        lines.fate = 'accepted' and not lines.subagent and judged_rows.event_number is null
            as rows_lost,
        lines.event_id in (select event_id from repeated_rows) as rows_repeated,
        lines.event_id in (select event_id from stepped_back_events) as clocks_stepped_back,
        -- Claude Code ran the first hooks in July 2025: nothing to guard was there before.
        lines.recorded_at < timestamp '2025-07-01' as rows_before_any_guard,
        lines.last_boundary_bytes >= lines.transcript_bytes as boundaries_ahead_of_reading,
        lines.thread in (select thread from misshapen_threads)
        or not coalesce(regexp_full_match(lines.checkpoint_hash, '[0-9a-f]{64}'), true)
            as rows_misshapen,
        free_words.guard_version is not null
        or not (
            regexp_full_match(lines.event_id, '[0-9a-f-]{16,64}')
            and regexp_full_match(
                coalesce(lines.counts::varchar, '{}'),
                '\{("[a-z_]{1,20}": ?(null|[0-9][0-9.eE+-]*),? ?)*\}'
            )
        ) as rows_with_free_text

    from lines

    left join judged_rows
        on hash(lines.event_id) = judged_rows.event_number

    left join free_words
        on
            lines.guard_version = free_words.guard_version
            and lines.guard_fingerprint = free_words.guard_fingerprint
            and lines.agent_version is not distinct from free_words.agent_version

),

offending as (

    select * from flagged

    where
        rows_after_as_of or rows_lost or rows_repeated or clocks_stepped_back
        or rows_before_any_guard or boundaries_ahead_of_reading or rows_misshapen
        or rows_with_free_text

),

-- An event may be there twice when a table is damaged; it offends once.
found as (

    select
        finding,
        offending_key,
        min(thread) as thread,
        min(interface) as interface,
        min(recorded_at) as recorded_at

    from (
        unpivot offending
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
