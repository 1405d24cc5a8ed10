-- question: to which period does each file belong, by its session?
-- grain:    one row per file whose session has a period
-- key:      file_number
-- reads:    stg_window_files, raw_window_periods
-- built:    as view
with

files as (

    select
        file_number,
        agent,
        coalesce(session_hash, file_key) as session_hash

    from stg_window_files

),

placed as (

    select
        files.file_number,
        files.agent,
        files.session_hash,
        raw_window_periods.period_name,
        raw_window_periods.is_compared,
        raw_window_periods.window_before_tokens

    from files

    inner join raw_window_periods
        on
            files.agent = raw_window_periods.agent
            and files.session_hash = raw_window_periods.session_hash

)

select * from placed
