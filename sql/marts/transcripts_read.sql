-- question: which transcripts were given, and which of them could witness anything?
-- grain:    one row per agent and use
-- key:      agent, use
-- reads:    raw_transcript_files, raw_files_left_out, stg_transcript_files
with

files as (

    select
        coalesce(raw_transcript_files.agent, 'unknown') as agent,
        case
            when raw_transcript_files.reject_reason is not null
                then raw_transcript_files.reject_reason
            when raw_transcript_files.is_subagent then 'subagent'
            when raw_transcript_files.is_slice then 'slice'
            when stg_transcript_files.file is null then 'copy'
            else 'witness'
        end as use,
        raw_transcript_files.unreadable_lines

    from raw_transcript_files

    left join stg_transcript_files
        on raw_transcript_files.file = stg_transcript_files.file

    where raw_transcript_files.file not in (
        select file from raw_files_left_out where kind = 'transcript'
    )

),

counted as (

    select
        agent,
        use,
        count(*) as count_files,
        sum(unreadable_lines)::bigint as count_unreadable_lines

    from files

    group by agent, use

)

select * from counted
