"""One compaction as Codex dispatches it, for the self-test. Facts: README.md."""

import json
from pathlib import Path

AGENT = "codex"
_NAMES = {
    "pre_compact": "PreCompact",
    "session_start": "SessionStart",
    "post_compact": "PostCompact",
}
_MODEL = "gpt-5.2"
_EVENTS = {"user": "user_message", "assistant": "agent_message"}


def write_transcript(folder: Path, session_id: str, said: list[tuple[str, str]]) -> Path:
    """A root thread of `codex exec` in which user and assistant said this."""
    path = folder / f"rollout-{session_id}.jsonl"
    rows = [_row("session_meta", id=session_id, originator="codex_exec", cli_version="0.171.0")]
    rows += [_row("event_msg", type=_EVENTS[speaker], message=text) for speaker, text in said]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def write_boundary(transcript: Path, summary: str) -> None:
    """The compaction finished; its record holds the summary."""
    with transcript.open("a", encoding="utf-8") as file:
        file.write(json.dumps(_row("compacted", message=summary)) + "\n")


def payload(event: str, transcript: Path, session_id: str, summary: str) -> bytes:
    """What the hook of our event name reads on stdin in an automatic compaction."""
    content: dict[str, object] = {
        "session_id": session_id,
        "transcript_path": str(transcript),
        "cwd": str(transcript.parent),
        "hook_event_name": _NAMES[event],
        "model": _MODEL,
    }
    if event == "session_start":
        content["source"] = "compact"
    else:
        content |= {"turn_id": f"{session_id}-turn", "trigger": "auto"}
    return json.dumps(content).encode()


def text_in(stdout: bytes) -> str | None:
    """What the model would get to read of a SessionStart hook's output; None if nothing."""
    try:
        output = json.loads(stdout)["hookSpecificOutput"]
        text = output["additionalContext"] if output["hookEventName"] == "SessionStart" else None
    except (ValueError, KeyError, TypeError):
        return None
    return text if isinstance(text, str) else None


def _row(kind: str, **payload: str) -> dict[str, object]:
    return {"timestamp": "2026-01-01T00:00:00.000Z", "type": kind, "payload": payload}
