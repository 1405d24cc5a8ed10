-- question: which layout do the raw and kept tables have?
-- grain:    one row per warehouse (a single one)
-- key:      version
-- reads:    nothing
create table if not exists layout_version (
    version integer not null
)
