-- question: which threads got rows since the models were built?
-- grain:    one row per thread and portion that brought rows for it
-- key:      thread
-- reads:    nothing
create table if not exists raw_threads_touched (
    thread integer not null
)
