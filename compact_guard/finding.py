"""Search what was said in a session before its newest compaction: fast, redacted, newest first."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from compact_guard.agents import registry
from compact_guard.agents.contract import HookAdapter
from compact_guard.errors import UsageError
from compact_guard.hook import redaction
from compact_guard.hook.events import Message
from compact_guard.hook.run import load_adapter
from compact_guard.hook.text import mended
from compact_guard.hook.transcript import Transcript, objects_in

_MESSAGE_CHARS_MAX = 64 << 10  # redacted whole up to here
_SNIPPET_CHARS = 400


@dataclass(frozen=True)
class Found:
    """One message that holds all words; `text` is redacted and cut around the first of them."""

    at: str | None
    speaker: str
    text: str


@dataclass(frozen=True)
class Session:
    """A transcript and the agent that wrote it."""

    path: Path
    agent: str


def session(
    session_id: str | None, transcript: Path | None, folder: Path, environment: Mapping[str, str]
) -> Session:
    """The one asked for, else the running one, else the newest of this folder.

    Raises UsageError if there is none.
    """
    if transcript is not None:
        return Session(transcript, _agent_of(transcript))
    for agent in registry.sessions():
        variable = agent.SESSION_VARIABLE
        wanted = session_id or (environment.get(variable) if variable else None)
        if wanted and (path := agent.transcript_of(wanted, environment)):
            return Session(path, agent.AGENT)
    if session_id:
        raise UsageError(f"no transcript of session {session_id}; name its file: --transcript FILE")
    newest = [
        Session(path, agent.AGENT)
        for agent in registry.sessions()
        if (path := agent.newest_in(folder, environment))
    ]
    if not newest:
        raise UsageError(f"no session in {folder}; name one: --session ID or --transcript FILE")
    return max(newest, key=lambda found: found.path.stat().st_mtime)


def find(searched: Session, words: list[str], limit: int) -> list[Found]:
    """Messages that hold all words, whatever their case, newest first.

    Of a session that was compacted, only those before the newest boundary: the others are still
    in the context. Raises UsageError for a transcript that cannot be read.
    """
    adapter = load_adapter(searched.agent)
    try:
        transcript = Transcript(str(searched.path))
    except (OSError, ValueError) as error:
        raise UsageError(f"{searched.path}: cannot be read: {error}") from error
    lowered = [word.casefold() for word in words]
    found: list[Found] = []
    seen: set[str] = set()
    for message in _messages(transcript, adapter, lowered):
        if message.identity in seen:
            continue
        seen.add(message.identity)
        if (hit := _found(message, lowered)) is not None:
            found.append(hit)
        if len(found) >= limit:
            break
    return found


def _messages(transcript: Transcript, adapter: HookAdapter, words: list[str]) -> Iterator[Message]:
    """Messages of lines that may hold the words, newest first."""
    needles = [_needles(word) for word in words]
    behind: list[int] = []  # where such lines begin, while no boundary was met
    is_before = False
    for offset, line in transcript.lines_backward(transcript.complete_bytes):
        if line is None:
            continue
        if not is_before and (boundary := _boundary_in(line, adapter)) is not None:
            is_before = True
            if boundary == 0:
                continue
        if not adapter.may_hold_message(line) or not _may_hold(line, needles):
            continue
        if is_before:
            yield from _messages_in(line, adapter)
        else:
            behind.append(offset)
    for offset in behind if not is_before else ():
        yield from _messages_in(transcript.line_around(offset)[1] or b"", adapter)


def _messages_in(line: bytes, adapter: HookAdapter) -> Iterator[Message]:
    for _, record in reversed(objects_in(line)[0]):
        message = adapter.message_in(record)
        if message is not None:
            yield message


def _boundary_in(line: bytes, adapter: HookAdapter) -> int | None:
    """Where in the line it begins; the first of several that were glued into one line."""
    if adapter.BOUNDARY_MARK in line:
        for inside, record in objects_in(line)[0]:
            if adapter.is_boundary(record):
                return inside
    return None


def _needles(word: str) -> bytes | None:
    """What to look for in raw bytes; None where case or escapes make that unsure."""
    return word.encode() if word.isascii() and json.dumps(word)[1:-1] == word else None


def _may_hold(line: bytes, needles: list[bytes | None]) -> bool:
    lowered = line.lower()
    return all(needle is None or needle in lowered for needle in needles)


def _found(message: Message, words: list[str]) -> Found | None:
    text = mended(message.text)[:_MESSAGE_CHARS_MAX]
    if not all(word in text.casefold() for word in words):
        return None
    clean = redaction.redact(text)
    # Looked for again: a word may have stood in what was redacted.
    if not all(word in clean.casefold() for word in words):
        return None
    return Found(message.at, message.speaker, _snippet(clean, words[0]))


def _snippet(text: str, word: str) -> str:
    position = max(text.casefold().find(word), 0)
    start = max(0, min(position - _SNIPPET_CHARS // 2, len(text) - _SNIPPET_CHARS))
    piece = text[start : start + _SNIPPET_CHARS].strip()
    before = "…" if start > 0 else ""
    return f"{before}{piece}{'…' if start + _SNIPPET_CHARS < len(text) else ''}"


def _agent_of(path: Path) -> str:
    """The agent whose mark the file begins with, else the one whose files carry none."""
    try:
        with path.open("rb") as file:
            start = file.read(4_096)
    except OSError as error:
        raise UsageError(
            f"{path}: {error.strerror}: mend --transcript, or leave it out for this folder's newest"
        ) from error
    agents = registry.sessions()
    marked = [agent.AGENT for agent in agents if agent.FIRST_MARK and agent.FIRST_MARK in start]
    unmarked = [agent.AGENT for agent in agents if agent.FIRST_MARK is None]
    return (marked or unmarked)[0]
