-- question: what happened to the warehouse that a reader of the verdict must know?
-- grain:    one row per note of this evaluation, in order
-- key:      note_number
-- reads:    nothing
create table if not exists raw_notes (
    note_number integer not null,
    note varchar not null,
    is_lasting boolean not null,
    is_told boolean not null
)
