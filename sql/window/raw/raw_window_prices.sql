-- question: what does a token of each kind cost, in US dollars per million?
-- grain:    one row per model, speed, stretch of time and stretch of prompt sizes
-- key:      model, speed, valid_from, context_above
-- reads:    nothing
create table if not exists raw_window_prices (
    model varchar not null,
    speed varchar not null,
    valid_from timestamp not null,
    valid_until timestamp not null,
    context_above bigint not null,
    context_up_to bigint not null,
    input_usd double not null,
    output_usd double not null,
    cache_read_usd double not null,
    cache_write_5m_usd double not null,
    cache_write_1h_usd double not null,
    source varchar not null
)
