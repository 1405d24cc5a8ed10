"""Seeded transcripts for the bench of `replay`: real talk, tool output between it, compactions.

Of what is planted in a session its summaries repeat every other statement, word for word.
"""

import random
from pathlib import Path

from tests.bench.quality import conversations
from tests.hook.transcripts import Transcript

MESSAGES = 400  # between two compactions
STRETCH_BYTES = 3 << 20  # of tool output, mostly
COMPACTIONS = 4  # per session
SUMMARY = "This session is being continued from a previous conversation that ran out of context."


def write(folder: Path, total_bytes: int, language: str = "en") -> int:
    """Sessions of COMPACTIONS compactions each; returns how many compactions there are."""
    folder.mkdir(parents=True)
    sessions = max(1, total_bytes // (STRETCH_BYTES * COMPACTIONS))
    for number in range(sessions):
        write_session(folder / f"session-{number}.jsonl", number, language)
    return sessions * COMPACTIONS


def write_quiet(folder: Path, total_bytes: int) -> None:
    """Sessions of the same size without any compaction."""
    folder.mkdir(parents=True)
    for number in range(max(1, total_bytes // (STRETCH_BYTES * COMPACTIONS))):
        write_session(folder / f"session-{number}.jsonl", number, has_boundaries=False)


def write_session(
    path: Path,
    seed: int,
    language: str = "en",
    *,
    stretch_bytes: int = STRETCH_BYTES,
    has_boundaries: bool = True,
) -> Transcript:
    """One session; each stretch of it is of about so many bytes, most of them tool output."""
    story = conversations.tell(language, "tuned", MESSAGES * COMPACTIONS, seed)
    transcript = Transcript(path, session_id=path.stem)
    chance = random.Random(seed)
    output = _tool_output(stretch_bytes)
    for start in range(0, MESSAGES * COMPACTIONS, MESSAGES):
        for speaker, text in story.messages[start : start + MESSAGES]:
            if speaker == "user":
                transcript.typed(text)
                continue
            if output:
                transcript.tool_result(output)
            transcript.answered(text)
        if has_boundaries:
            said = {text for _, text in story.messages[: start + MESSAGES]}
            repeated = [each.text for each in story.planted[::2] if each.text in said]
            chance.shuffle(repeated)
            transcript.boundary()
            transcript.typed("\n".join([SUMMARY, *repeated]), isCompactSummary=True)
    return transcript


def _tool_output(stretch_bytes: int) -> str:
    """So much of it between two messages that a stretch gets its size; it is written twice."""
    line = "drwxr-xr-x 2 build build 4096 src\n"
    beside = 2 * stretch_bytes // MESSAGES - 1_000
    return line * (beside // (2 * len(line))) if beside > 0 else ""
