-- question: which file speaks for the transcript of each session that is judged anew?
-- grain:    one row per touched thread with a file at hand
-- key:      thread
-- reads:    raw_threads, stg_transcript_files, int_threads_touched, int_rows_at_hand
-- built:    in passing
with

threads as (

    select
        rows.thread,
        raw_threads.session_hash,
        raw_threads.transcript_hash,
        min(rows.recorded_at) as first_row_at

    from int_rows_at_hand as rows

    inner join raw_threads
        on rows.thread = raw_threads.thread

    where raw_threads.transcript_hash in (select transcript_hash from stg_transcript_files)

    group by rows.thread, raw_threads.session_hash, raw_threads.transcript_hash

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
        raw_threads.thread,
        raw_threads.session_hash || '/' || raw_threads.transcript_hash as thread_name,
        null::timestamp as first_row_at,
        files.file,
        files.transcript_hash,
        files.session_hash,
        files.complete_bytes

    from stg_transcript_files as files

    inner join raw_threads
        on
            files.transcript_hash = raw_threads.transcript_hash
            and coalesce(files.session_hash, 'unknown') = raw_threads.session_hash

    semi join int_threads_touched
        on raw_threads.thread = int_threads_touched.thread

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
