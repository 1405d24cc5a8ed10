"""Turn the log of another tool's hooks into audit rows: one JSON line in, one JSON line out.

    python keeper_to_audit.py < keeper.jsonl > audit/keeper.jsonl

Its lines say `{"t": 1795921200, "conversation": "c1", "did": "kept", "note": "n1", "auto": true}`
before a compaction, and `{..., "did": "gave", "note": "n1"}` after it.
"""

import hashlib
import json
import sys
from datetime import UTC, datetime
from typing import Any

AGENT = "codex"
INTERFACE = f"{AGENT}/keeper"  # what is judged: a name of your own after the slash
KEEPER_VERSION = "3.2"


def digest(text: str) -> str:
    """Names, ids and texts go in as hashes: an audit log holds none of them."""
    return hashlib.sha256(text.encode()).hexdigest()


def audit_row(line: dict[str, Any]) -> dict[str, Any]:
    """One row of `compact_guard/contracts/audit-event.schema.json`."""
    row = {
        "schema": "compact-guard.audit/1",
        "event_id": digest(json.dumps(line, sort_keys=True))[:32],  # a copied line is a duplicate
        "recorded_at": datetime.fromtimestamp(line["t"], UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "guard_version": KEEPER_VERSION,
        "guard_fingerprint": digest(f"keeper {KEEPER_VERSION}")[:12],  # a new one: a new period
        "interface": INTERFACE,
        "agent": AGENT,
        "session_hash": digest(f"{AGENT}:{line['conversation']}"),
        "transcript_hash": None,
        "checkpoint_hash": digest(line["note"]) if line.get("note") else None,
        "origin": "natural",  # tests of the hooks themselves are "synthetic"
    }
    if line["did"] == "kept":
        return row | {
            "event": "pre_compact",
            "outcome": "saved" if line.get("note") else "failed",
            "trigger": "auto" if line["auto"] else "manual",
            "delivery": "immediate",
            "transcript_bytes": None,  # together with the last boundary, or not at all
            "last_boundary_bytes": None,
        }
    return row | {
        "event": "session_start",
        "source": "compact",
        "outcome": "injected" if line.get("note") else "none",
    }


if __name__ == "__main__":
    for line in sys.stdin:
        sys.stdout.write(json.dumps(audit_row(json.loads(line))) + "\n")
