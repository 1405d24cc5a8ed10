-- question: how did the context of the session with most compactions rise and fall?
-- grain:    one row per turn of the main session of one file, in the order of the file
-- key:      turn_number
-- reads:    int_window_turns_placed
with

longest as (

    select file_number

    from int_window_turns_placed

    group by file_number

    order by
        max(boundary_number) desc,
        count(*) desc,
        file_number asc

    limit 1

),

sawtooth as (

    select
        row_number() over (
            order by turns.boundary_number, turns.turn_number
        ) as turn_number,
        turns.boundary_number,
        turns.context_tokens

    from int_window_turns_placed as turns

    inner join longest
        on turns.file_number = longest.file_number

)

select * from sawtooth
