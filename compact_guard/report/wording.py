"""The words of the report for the codes of the marts: one place, so that they cannot drift."""

OUTCOME_MEANINGS = {
    "injected": "the checkpoint was delivered once",
    "missed": "the agent went on without its checkpoint",
    "duplicated": "the checkpoint was delivered more than once",
    "aborted": "the compaction never finished",
    "deferred": "delivery is not due yet, came late, or is undecided",
    "unconfirmed": "hooks ran, but the main session was not compacted",
    "empty": "there was nothing to save",
    "uncovered": "the agent compacted without running the guard",
}


# Why a compaction neither passed nor failed.
EXCLUSIONS = {
    "aborted": "the next row shows that no compaction happened",
    "aborted_by_absence": "no sign that it finished; could be a failure: unresolved",
    "under_way": "begun within the policy's grace, may still be under way",
    "delivered_late": "the agent queued the delivery, and the model worked on without it meanwhile",
    "superseded": "a newer checkpoint, which carries it forward, was delivered",
    "not_due": "the transcript shows that nothing followed, so delivery was not due",
    "undecided": "finished, and no row tells whether it was delivered: unresolved",
    "unconfirmed": "the next row contradicts it: a subagent's compaction in the main one's name",
    "empty": "there was nothing to deliver",
    "uncovered": "no checkpoint was ever asked for; lowers the coverage",
}

FAILURES = {
    "save_failed": "the guard could not save the checkpoint",
    "not_delivered": "the session went on, and its start hook delivered nothing",
    "not_arrived": "the guard reports an injection, and the transcript shows another text or none",
    "passed_by": "the session went on, and no start hook delivered it",
    "duplicated": "one checkpoint was injected more than once",
}

QUARANTINE_REASONS = {
    "not_json": "not JSON (torn, or something else's)",
    "not_an_object": "JSON, but no object",
    "foreign_schema": "not an audit row",
    "newer_schema": "written by a newer guard than this evaluator knows",
    "breaks_schema": "breaks the contract of its schema",
    "no_such_time": "its time does not exist",
    "number_too_large": "a number is out of range",
    "damaged": "the compressed file breaks off or is garbled here",
    "too_long": "longer than an audit row may be",
    "event_id_reused": "its event id belongs to another row",
}

# What to do about a quarantined line.
QUARANTINE_MENDS = {
    "not_json": "a row torn by a crash stays lost; many of them mean a full or failing disk",
    "not_an_object": "find out what else writes into this folder",
    "foreign_schema": "move what is no audit log out of this folder",
    "newer_schema": "upgrade compact-guard here, then evaluate again",
    "breaks_schema": "check it against the contract, compact_guard/contracts, and mend its writer",
    "no_such_time": "mend the clock or the hook that wrote it",
    "number_too_large": "mend the hook that wrote it",
    "damaged": "fetch the file again from where it was compressed",
    "too_long": "mend the hook that wrote it: a row is bounded so that it is written whole",
    "event_id_reused": "keep one copy of each log; two hooks must not share event ids",
}

# What a transcript that was given could be used for.
TRANSCRIPT_USES = {
    "witness": "speaks for its session",
    "copy": "a shorter copy of a session that another file speaks for",
    "slice": "begins in the middle of a session, so its offsets cannot be matched",
    "subagent": "a subagent's conversation, not the main session's",
    "foreign": "no transcript of a known agent",
    "no_object": "empty, or garbled throughout",
    "no_access": "could not be opened: mend its permissions",
}

# The steps of a failed compaction's trail.
TRAIL_STEPS = {
    "pre_compact": "the guard ran before the compaction",
    "session_start": "the guard ran when the session went on",
    "post_compact": "the guard ran after the compaction",
    "boundary": "the compaction itself",
    "injected_text": "a checkpoint's text arrived in the model's context",
    "model_turn": "the model answered",
    "user_prompt": "the user wrote",
}

WITNESSES = {
    "transcript": "the agent's transcript",
    "session_start": "a session_start row",
    "next_row": "the session's next row",
    "receipt": "a receipt",
    "absence": "nothing: absence alone",
}
