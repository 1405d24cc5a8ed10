"""One compaction as Claude Code dispatches it, for the self-test. Facts: README.md."""

import json
from pathlib import Path

AGENT = "claude-code"
_NAMES = {
    "pre_compact": "PreCompact",
    "session_start": "SessionStart",
    "post_compact": "PostCompact",
    "turn_end": "Stop",
}
_MODEL = "claude-opus-5-5"
_VERSION = "2.1.332"


def write_transcript(folder: Path, session_id: str, said: list[tuple[str, str]]) -> Path:
    """A main session in which user and assistant said this."""
    path = folder / f"{session_id}.jsonl"
    first = {"type": "mode", "mode": "normal", "sessionId": session_id}
    rows = [_row(session_id, number, *words) for number, words in enumerate(said)]
    path.write_text("".join(json.dumps(row) + "\n" for row in [first, *rows]), encoding="utf-8")
    return path


def write_boundary(transcript: Path, summary: str) -> None:
    """The compaction finished; the summary is a row of its own."""
    record = {
        "type": "system",
        "subtype": "compact_boundary",
        "isSidechain": False,
        "timestamp": "2026-01-01T01:00:00.000Z",
        "version": _VERSION,
        "compactMetadata": {"trigger": "auto", "preTokens": 190_000},
    }
    with transcript.open("a", encoding="utf-8") as file:
        file.write(json.dumps(record) + "\n")


def payload(event: str, transcript: Path, session_id: str, summary: str) -> bytes:
    """What the hook of our event name reads on stdin in an automatic compaction."""
    content: dict[str, object] = {
        "session_id": session_id,
        "transcript_path": str(transcript),
        "cwd": str(transcript.parent),
        "hook_event_name": _NAMES[event],
    }
    match event:
        case "pre_compact":
            content |= {"trigger": "auto", "custom_instructions": None}
        case "session_start":
            content |= {"source": "compact", "model": _MODEL}
        case "post_compact":
            content |= {"trigger": "auto", "compact_summary": summary}
        case "turn_end":
            content |= {"stop_hook_active": False}
    return json.dumps(content).encode()


def text_in(stdout: bytes) -> str | None:
    """What the model would get to read of a SessionStart hook's output; None if nothing."""
    try:
        output = json.loads(stdout)["hookSpecificOutput"]
        text = output["additionalContext"] if output["hookEventName"] == "SessionStart" else None
    except (ValueError, KeyError, TypeError):
        return None
    return text if isinstance(text, str) else None


def _row(session_id: str, number: int, speaker: str, text: str) -> dict[str, object]:
    model = {"model": _MODEL} if speaker == "assistant" else {}
    return {
        "type": speaker,
        "uuid": f"{session_id}-{number}",
        "sessionId": session_id,
        "isSidechain": False,
        "version": _VERSION,
        "timestamp": f"2026-01-01T00:00:{number:02}.000Z",
        "message": {"role": speaker, "content": [{"type": "text", "text": text}], **model},
    }
