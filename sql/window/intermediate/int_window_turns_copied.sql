-- question: which responses of a forked session were copied from the one it was forked from?
-- grain:    one row per copied response of a file
-- key:      file_number, event_key
-- reads:    stg_window_turns, stg_window_files
with

descents as (

    select
        file_number,
        unnest(string_split(ancestor_hashes, ';')) as ancestor_hash

    from stg_window_files

    where ancestor_hashes <> ''

),

ancestors as (

    select distinct
        descents.file_number,
        stg_window_files.file_number as ancestor_file_number

    from descents

    inner join stg_window_files
        on
            descents.ancestor_hash = stg_window_files.session_hash
            and descents.file_number <> stg_window_files.file_number

),

copied as (

    select distinct
        stg_window_turns.file_number,
        stg_window_turns.event_key

    from ancestors

    inner join stg_window_turns
        on ancestors.file_number = stg_window_turns.file_number

    inner join stg_window_turns as ancestor_turns
        on
            ancestors.ancestor_file_number = ancestor_turns.file_number
            and stg_window_turns.copy_key = ancestor_turns.copy_key

)

select * from copied
