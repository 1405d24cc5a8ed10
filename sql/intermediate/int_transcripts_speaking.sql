-- question: which file speaks for the transcript of each session?
-- grain:    one row per session and transcript with a file at hand
-- key:      thread
-- reads:    stg_transcript_files, stg_audit_rows
-- built:    in passing
with

threads as (

    select
        thread,
        session_hash,
        transcript_hash,
        min(recorded_at) as first_row_at

    from stg_audit_rows

    where transcript_hash in (select transcript_hash from stg_transcript_files)

    group by thread, session_hash, transcript_hash

),

-- A fork may begin with its parent's first line: a file that names the session itself is
-- asked first, then the longest.
ranked as (

    select
        threads.thread,
        -- The same in every warehouse, whatever the numbers are.
        threads.session_hash || '/' || threads.transcript_hash as thread_name,
        threads.first_row_at,
        files.file,
        files.transcript_hash,
        files.session_hash,
        files.complete_bytes,
        row_number() over (
            partition by threads.thread
            order by
                coalesce(files.session_hash = threads.session_hash, false) desc,
                files.complete_bytes desc,
                files.file asc
        ) as copy_number

    from threads

    inner join stg_transcript_files as files
        on threads.transcript_hash = files.transcript_hash

),

-- Of a transcript that no row names the longest copy speaks for itself.
unnamed as (

    select
        -row_number() over (order by files.file) as thread,
        coalesce(files.session_hash, 'unknown') || '/' || files.transcript_hash as thread_name,
        null::timestamp as first_row_at,
        files.file,
        files.transcript_hash,
        files.session_hash,
        files.complete_bytes

    from stg_transcript_files as files

    anti join threads
        on files.transcript_hash = threads.transcript_hash

),

speaking as (

    select * exclude (copy_number) from ranked

    where copy_number = 1

    union all by name

    select * from unnamed

)

select * from speaking
