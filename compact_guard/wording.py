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
    "not_arrived": "the guard reports an injection, and the transcript shows that none arrived",
    "passed_by": "the session went on, and no start hook delivered it",
    "duplicated": "one checkpoint was injected more than once",
}

QUARANTINE_REASONS = {
    "not_json": "not JSON (torn, or something else's)",
    "not_an_object": "JSON, but no object",
    "foreign_schema": "not an audit row",
    "newer_schema": "written by a newer guard: upgrade the evaluator",
    "breaks_schema": "breaks the contract of its schema",
    "no_such_time": "its time does not exist",
    "number_too_large": "a number is out of range",
    "too_long": "longer than an audit row may be",
    "event_id_reused": "its event id belongs to another row",
}

WITNESSES = {
    "transcript": "the agent's transcript",
    "session_start": "a session_start row",
    "next_row": "the session's next row",
    "receipt": "a receipt",
    "absence": "nothing: absence alone",
}
