-- question: which events stand in more than one line?
-- grain:    one row per event that some line repeated
-- key:      event_id
-- reads:    nothing
create table if not exists raw_events_repeated (
    event_id varchar not null
)
