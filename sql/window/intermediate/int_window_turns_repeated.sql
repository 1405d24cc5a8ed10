-- question: which responses of a file are counted in another one?
-- grain:    one row per response of a file that another file speaks for
-- key:      file_number, event_key
-- reads:    stg_window_turns, stg_window_files, int_window_turns_copied
with

originals as (

    select
        stg_window_turns.file_number,
        stg_window_turns.agent,
        stg_window_turns.event_key,
        stg_window_turns.response_key,
        stg_window_turns.is_main,
        stg_window_turns.output_tokens

    from stg_window_turns

    anti join int_window_turns_copied
        on
            stg_window_turns.file_number = int_window_turns_copied.file_number
            and stg_window_turns.event_key = int_window_turns_copied.event_key

),

shared as (

    select
        agent,
        response_key

    from originals

    group by agent, response_key

    having count(*) > 1

),

-- The main session before a subagent's replay, a whole response before one cut short in a
-- snapshot; then the longest file, so that all that two files share belongs to one of them.
ranked as (

    select
        originals.file_number,
        originals.event_key,
        row_number() over (
            partition by originals.agent, originals.response_key
            order by
                originals.is_main desc,
                originals.output_tokens desc,
                stg_window_files.lines_read desc,
                stg_window_files.file asc
        ) as copy_number

    from originals

    inner join shared
        on
            originals.agent = shared.agent
            and originals.response_key = shared.response_key

    inner join stg_window_files
        on originals.file_number = stg_window_files.file_number

),

repeated as (

    select
        file_number,
        event_key

    from ranked

    where copy_number > 1

    union all

    select
        file_number,
        event_key

    from int_window_turns_copied

)

select * from repeated
