"""What an agent's modules provide, for type checkers and tests: no hook imports this."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

from compact_guard.hook.events import Event, Message
from compact_guard.install.planning import Plan


class HookAdapter(Protocol):
    """A module `agents/<tool>/hook.py`: payload to event, record to message, text to reply."""

    AGENT: str  # the name on the command line and in the audit log
    FILE: str  # the module's own source, part of the guard fingerprint
    BOUNDARY_MARK: bytes  # occurs in every line that holds a native boundary
    INJECTION_UNITS_MAX: int  # what the agent surely passes on, as `length` counts
    # By trigger: how many newest messages, and characters of newest typed ones, stay verbatim.
    KEPT_VERBATIM: dict[str | None, tuple[int, int]]
    BOUNDARY_COMES_FIRST: bool  # the boundary is on disk before SessionStart and PostCompact run

    def parse(
        self, event_name: str, payload: dict[str, Any], environment: Mapping[str, str]
    ) -> Event | None:
        """The event, None if the guard has nothing to do. Raises events.PayloadError."""

    def interface(self, environment: Mapping[str, str]) -> str:
        """How the agent is attached, such as `claude-code/anthropic`."""

    def length(self, text: str) -> int:
        """How the agent counts a text against its limit, such as UTF-16 units or bytes."""

    def render(self, text: str) -> str:
        """What on stdout makes the agent take `text` into its context."""

    def find_transcript(self, event: Event) -> str | None:
        """An existing path, or None."""

    def is_boundary(self, record: dict[str, Any]) -> bool:
        """True for the record of one finished native compaction of the main session."""

    def may_hold_message(self, line: bytes) -> bool:
        """False only if no record of the line can hold a message: spares parsing it."""

    def may_hold_typed(self, line: bytes) -> bool:
        """The same for typed messages alone, which are read further back than answers."""

    def message_in(self, record: dict[str, Any]) -> Message | None:
        """Text typed by the user or answered by the model in the main session."""

    def summary_in(self, record: dict[str, Any]) -> str | None:
        """The native summary, if a boundary's record holds it in clear."""

    def holds_turn(self, tail: bytes, turn_id: str) -> bool:
        """True if the prompt of this turn is in the tail of the transcript."""

    def version_in(self, record: dict[str, Any]) -> object:
        """The agent's version that wrote the record, None if it does not say."""

    def model_in(self, record: dict[str, Any]) -> object:
        """The model that answered, None if the record does not say."""


class Sessions(Protocol):
    """A module `agents/<tool>/sessions.py`: where the agent keeps its transcripts."""

    AGENT: str
    SESSION_VARIABLE: str | None  # the environment's name of the running session
    FIRST_MARK: bytes | None  # what the first record of a transcript holds; None: nothing sure

    def transcript_of(self, session_id: str, environment: Mapping[str, str]) -> Path | None:
        """The main transcript of a session; None if there is none."""

    def newest_in(self, folder: Path, environment: Mapping[str, str]) -> Path | None:
        """The transcript last written of the sessions begun in a working folder."""


class Stage(Protocol):
    """A module `agents/<tool>/stage.py`: what the agent hands to the hooks in one compaction."""

    def write_transcript(self, folder: Path, session_id: str, said: list[tuple[str, str]]) -> Path:
        """A main session's transcript; `said` are speaker (`user`, `assistant`) and text."""

    def write_boundary(self, transcript: Path, summary: str) -> None:
        """Append what the agent writes when the compaction has finished."""

    def payload(self, event: str, transcript: Path, session_id: str, summary: str) -> bytes:
        """What the hook reads on stdin; `event` is our own name."""

    def text_in(self, stdout: bytes) -> str | None:
        """What the model would get of a hook's output; None if nothing."""


class Spills(Protocol):
    """A module `agents/<tool>/spills.py`: over-long hook output in the agent's own folders."""

    AGENT: str

    def files(self, environment: Mapping[str, str]) -> Iterator[tuple[Path, str]]:
        """Every such file of any hook, and the id of its session."""


class Approval(Protocol):
    """What `compact_guard.agents.<tool>.trust` offers for agents that run only approved hooks."""

    def plan_trust(self, settings: Path, content: bytes, environment: Mapping[str, str]) -> Plan:
        """Record the approval of our hooks in this content; raises UsageError."""

    def plan_distrust(self, environment: Mapping[str, str]) -> Plan:
        """Take back what `plan_trust` recorded; raises UsageError."""

    def to_approve(self, settings: Path, content: bytes) -> list[str]:
        """What the person has to approve, and how, line by line."""

    def moved_strangers(self, before: bytes | None, after: bytes | None) -> list[str]:
        """Other hooks' commands whose approval an edit makes void."""

    def complaints(
        self, settings: Path, content: bytes, environment: Mapping[str, str]
    ) -> list[tuple[str, str]]:
        """Why the agent does not run hooks of ours, and how to mend it; raises UsageError."""
