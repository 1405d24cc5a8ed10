-- question: which files were read, how far, and how is each known again?
-- grain:    one row per file of a kind (audit, transcript) that was ever read and still counts
-- key:      kind, file
-- reads:    nothing
create table if not exists raw_files (
    kind varchar not null,
    file varchar not null,
    inode varchar not null,
    size_bytes bigint not null,
    modified_ns bigint not null,
    changed_ns bigint not null,
    seen_ns bigint not null,
    read_bytes bigint not null,
    read_lines bigint not null,
    head_hash varchar not null,
    tail_hash varchar not null,
    is_gone boolean not null
)
