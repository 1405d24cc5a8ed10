-- question: as of when, and on what, were the models built last?
-- grain:    one row per warehouse whose models were built (a single one)
-- key:      as_of
-- reads:    nothing
create table if not exists raw_models_built (
    as_of timestamp not null,
    grace_seconds double not null,
    is_rehearsal boolean not null,
    has_transcripts boolean not null,
    models_hash varchar not null
)
