"""What a transcript says of use and cost, in our words: responses and boundaries, no text."""

from enum import Enum
from functools import cache
from pathlib import Path
from string import ascii_lowercase
from typing import Annotated, Any, Literal, NamedTuple, Protocol, TypeVar, get_args, get_type_hints

import msgspec

from compact_guard.transcripts.stretches import Stretch

Shape = TypeVar("Shape", bound=msgspec.Struct)

# What does not fit is read again by `loosely`.
TimeText = Annotated[str, msgspec.Meta(max_length=40)]
Count = Annotated[int, msgspec.Meta(ge=0, le=1 << 53)]

Kind = Literal["turn", "boundary"]

# How it is known how long a compaction took: the agent logged it, or the records around it tell;
# or why it is not known.
Evidence = Literal["logged", "records", "not_logged", "outside_a_turn", "no_time"]


class Rejection(Enum):
    """Why a line, or a part of it, could not be read; the value is the word in every output."""

    TORN = "torn"  # an object that breaks off or is garbled
    NUL = "nul"  # a run of NUL bytes
    NOT_AN_OBJECT = "not_an_object"  # JSON, but no object
    TOO_LONG = "too_long"  # over lines.LINE_BYTES_MAX
    BROKEN_STREAM = "broken_stream"  # the rest cannot be decompressed


# Written with names of one letter, in the order of the fields: that is half as much to read again.
_letters = iter(ascii_lowercase)


class Event(msgspec.Struct, gc=False, omit_defaults=True, rename=lambda name: next(_letters)):
    """One response or one boundary of one file: a row of raw_window_events.

    `line_number` is that of its first row. Token counts never overlap: `input_tokens` holds
    no cached token. `context_tokens` is all that the model was given. `event_at` is as written.
    """

    kind: Kind
    line_number: int
    event_key: str
    event_at: str | None
    is_main: bool
    model: str | None = None
    speed: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_tokens: int | None = None
    cache_write_5m_tokens: int | None = None
    cache_write_1h_tokens: int | None = None
    context_tokens: int | None = None
    is_compaction_call: bool | None = None
    trigger: str | None = None
    tokens_before: int | None = None
    tokens_after: int | None = None
    duration_ms: int | None = None
    duration_evidence: Evidence | None = None
    summary_bytes: int | None = None
    call_key: str | None = None
    agent_version: str | None = None
    thread_hash: str | None = None  # the session it belongs to, where the key alone is ambiguous
    copy_key: str | None = None  # equal in every copy, also where a copy claims another session
    file_key: str = ""  # the entry of window.scan_cache it came from


class Source(NamedTuple):
    """Whose file it is. `ancestors` are the sessions, nearest first, whose records it may copy."""

    session_id: str | None
    project: str | None  # the folder the agent worked in
    is_subagent: bool
    ancestors: tuple[str, ...] = ()


class UsageReader(Protocol):
    """One file being read, line by line."""

    AGENT: str

    def __init__(self, path: Path) -> None: ...

    def is_settled(self, lines: int) -> bool:
        """Whether it wants no more lines one by one, after so many."""

    def take_stretch(self, line_number: int, stretch: Stretch) -> int:
        """All lines from this one on, if all are plain: how many. Else 0, and nothing changes."""

    def take(self, line_number: int, line: bytes) -> None:
        """One plain line. Raises msgspec.DecodeError or RecursionError and then changes nothing."""

    def take_object(self, line_number: int, line_bytes: int, record: dict[str, Any]) -> None:
        """One object of a line that is damaged, glued or unusual."""

    def source(self) -> Source:
        """Whose file it is, as far as the lines so far say."""

    def events(self) -> list[Event]:
        """Responses, each once, and boundaries."""


def loosely(shape: type[Shape], record: dict[str, Any]) -> Shape:
    """The record in this shape; a field of another type than expected keeps its default."""
    found = {}
    for name, encoded_name, options in _fields(shape):
        value = _fitting(record.get(encoded_name), options)
        if value is not None:
            found[name] = value
    return shape(**found)


@cache
def _fields(shape: type[msgspec.Struct]) -> tuple[tuple[str, str, tuple[Any, ...]], ...]:
    """Name, name in the file, and the types allowed, of each field."""
    hints = get_type_hints(shape, include_extras=True)
    return tuple(
        (field.name, field.encode_name, _options(hints[field.name]))
        for field in msgspec.structs.fields(shape)
    )


def _options(expected: Any) -> tuple[Any, ...]:
    """`A | B | None` as (A, B, None)."""
    is_annotated = hasattr(expected, "__metadata__")
    return (expected,) if is_annotated else get_args(expected) or (expected,)


def _fitting(value: object, options: tuple[Any, ...]) -> Any:
    """The value if it has one of these types, else None."""
    for option in options:
        if isinstance(option, type) and issubclass(option, msgspec.Struct):
            if isinstance(value, dict):
                return loosely(option, value)
            continue
        try:
            # Half a character is replaced first: a bound on its length would raise another error.
            return msgspec.convert(_plain(value), option)
        except msgspec.ValidationError:
            continue
    return None


def _plain(value: Any) -> Any:
    """Text as UTF-8 can hold it: escapes may stand for half a character."""
    return value.encode(errors="replace").decode() if isinstance(value, str) else value
