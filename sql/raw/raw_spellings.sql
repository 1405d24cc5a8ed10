-- question: in which spellings were plain rows written?
-- grain:    one row per spelling that some file used
-- key:      spelling
-- reads:    nothing
create table if not exists raw_spellings (
    spelling integer not null,
    field_names varchar[] not null,
    is_spaced boolean not null,
    second_digits integer not null
)
