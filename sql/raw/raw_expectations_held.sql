-- question: which expectations held on which values, so that they need not be asked again?
-- grain:    one row per expectation and values it held on in the last evaluation
-- key:      held_hash
-- reads:    nothing
create table if not exists raw_expectations_held (
    held_hash varchar not null
)
