-- question: whose is each transcript, and under which short number is it known here?
-- grain:    one row per file given
-- key:      file_number
-- reads:    raw_window_files
with

numbered as (

    select
        row_number() over (order by file)::integer as file_number,
        raw_window_files.*

    from raw_window_files

)

select * from numbered
