-- question: on which side of a change of window does each session stand?
-- grain:    one row per session; a change may be known only after the sessions are
-- key:      agent, session_hash
-- reads:    nothing
create table if not exists raw_window_periods (
    agent varchar not null,
    session_hash varchar not null,
    period_name varchar not null,
    is_compared boolean not null,
    window_before_tokens double
)
