-- question: which file speaks for each transcript of each session, and how far does it reach?
-- grain:    one row per transcript that begins at its session's first line, and session it names
-- key:      file
-- reads:    raw_transcript_files, raw_files_left_out
with

candidates as (

    select * from raw_transcript_files

    where transcript_hash is not null and not is_subagent and not is_slice
    and file not in (select file from raw_files_left_out where kind = 'transcript')

),

-- Of several copies the longest speaks; equal ones say the same, so the name may decide.
ranked as (

    select
        candidates.*,
        row_number() over (
            partition by transcript_hash, session_hash order by complete_bytes desc, file asc
        ) as copy_number

    from candidates

),

longest as (

    select * exclude (copy_number) from ranked

    where copy_number = 1

)

select * from longest
