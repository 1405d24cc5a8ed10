-- question: what was each API response given, what did it use, and what did it cost?
-- grain:    one row per response over all files; cost_usd is null where the model has no price
-- key:      file_number, event_key
-- reads:    stg_window_turns, int_window_turns_repeated, raw_window_prices
with

owned as (

    select stg_window_turns.*

    from stg_window_turns

    anti join int_window_turns_repeated
        on
            stg_window_turns.file_number = int_window_turns_repeated.file_number
            and stg_window_turns.event_key = int_window_turns_repeated.event_key

),

priced as (

    select
        owned.file_number,
        owned.agent,
        owned.line_number,
        owned.event_key,
        owned.is_main,
        owned.is_compaction_call,
        owned.responded_at,
        owned.responded_at::date as responded_date,
        owned.model,
        owned.speed,
        owned.input_tokens,
        owned.output_tokens,
        owned.cache_read_tokens,
        owned.cache_write_5m_tokens,
        owned.cache_write_1h_tokens,
        owned.context_tokens,
        -- Fewer than any call of a tool takes. Claude Code up to 2.1.49 often logged the count
        -- with which a response began.
        owned.output_tokens <= 10 as is_output_stub,
        owned.context_tokens // 50000 * 50000 as context_band,
        (
            owned.input_tokens * raw_window_prices.input_usd
            + owned.output_tokens * raw_window_prices.output_usd
            + owned.cache_read_tokens * raw_window_prices.cache_read_usd
            + owned.cache_write_5m_tokens * raw_window_prices.cache_write_5m_usd
            + owned.cache_write_1h_tokens * raw_window_prices.cache_write_1h_usd
        ) / 1e6 as cost_usd

    from owned

    -- A response without a readable time is priced as of today.
    left join raw_window_prices
        on
            owned.model = raw_window_prices.model
            and owned.speed = raw_window_prices.speed
            and coalesce(owned.responded_at, timestamp '9998-01-01')
            >= raw_window_prices.valid_from
            and coalesce(owned.responded_at, timestamp '9998-01-01')
            < raw_window_prices.valid_until
            and owned.context_tokens > raw_window_prices.context_above
            and owned.context_tokens <= raw_window_prices.context_up_to

)

select * from priced
