-- question: which sessions with which transcript were there, and by which number are they joined?
-- grain:    one row per session and transcript that some row ever named
-- key:      thread
-- reads:    nothing
create table if not exists raw_threads (
    thread integer not null,
    session_hash varchar not null,
    -- Null without a transcript: that is a thread of its own.
    transcript_hash varchar
)
