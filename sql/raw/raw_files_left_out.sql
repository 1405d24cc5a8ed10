-- question: which files in the warehouse are no part of this evaluation?
-- grain:    one row per file of a kind that lies under none of the paths given
-- key:      kind, file
-- reads:    nothing
create table if not exists raw_files_left_out (
    kind varchar not null,
    file varchar not null
)
