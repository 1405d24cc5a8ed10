-- question: which checkpoints of each thread does more than one line of the logs tell of?
-- grain:    one row per thread and checkpoint that stands in several pre_compact lines
-- key:      thread, checkpoint_hash
-- reads:    raw_audit_lines, int_rows_at_hand
-- built:    by thread
with

-- Whoever tells of a checkpoint last finds that it was told before, in whatever thread.
announced as (

    select distinct
        thread,
        checkpoint_hash

    from int_rows_at_hand

    where event = 'pre_compact' and checkpoint_hash is not null

),

told as (

    select audit_lines.checkpoint_hash from raw_audit_lines as audit_lines

    where
        audit_lines.event = 'pre_compact'
        and audit_lines.checkpoint_hash in (select checkpoint_hash from announced)

    group by audit_lines.checkpoint_hash

    having count(*) > 1

),

repeated as (

    select announced.* from announced

    semi join told
        on announced.checkpoint_hash = told.checkpoint_hash

)

select * from repeated
