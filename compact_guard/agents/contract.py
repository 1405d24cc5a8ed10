"""What an agent's modules provide, for type checkers and tests: no hook imports this."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from compact_guard.hook.events import Event, Message
from compact_guard.install.planning import Plan
from compact_guard.replay.compaction import Compaction, Origin
from compact_guard.window.setting import Dated, Head, Setting, SettingChange


class HookAdapter(Protocol):
    """A module `agents/<tool>/hook.py`: payload to event, record to message, text to reply."""

    AGENT: str  # the name on the command line and in the audit log
    FILE: str  # the module's own source, part of the guard fingerprint
    BOUNDARY_MARK: bytes  # occurs in every line that holds a native boundary
    INJECTION_UNITS_MAX: int  # what the agent surely passes on, as `length` counts
    # By trigger: how many newest messages, and characters of newest typed ones, stay verbatim.
    KEPT_VERBATIM: dict[str | None, tuple[int, int]]
    BOUNDARY_COMES_FIRST: bool  # the boundary is on disk before SessionStart and PostCompact run
    WRITES_LATE: bool  # what was said before a hook runs may not be in the transcript yet
    HEARS_THE_DYING: bool  # what a hook printed reaches the model though the hook was killed then
    TELLS_AT_RECEIPT: bool  # PostCompact can speak to the person alone; else the turn's end does

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

    def render_request(self, text: str) -> str | None:
        """What PreCompact prints to have the native summary asked for `text`, too.

        What the user typed for the summary must survive it, once. None: the agent takes nothing.
        """

    def render_notice(self, line: str) -> str:
        """What shows a line to the person and never reaches the model."""

    def find_transcript(self, event: Event) -> str | None:
        """An existing path, or None."""

    def is_boundary(self, record: dict[str, Any]) -> bool:
        """True for the record of one finished native compaction of the main session."""

    def is_output(self, chunk: bytes, start: int, stop: int) -> bool:
        """True only if the line there is a tool's output, told by its ends: it is not looked at."""

    def may_hold_message(self, line: bytes) -> bool:
        """False only if no record of the line can hold a message: spares parsing it."""

    def may_hold_typed(self, line: bytes) -> bool:
        """The same for typed messages alone, which are read further back than answers."""

    def message_in(self, record: dict[str, Any]) -> Message | None:
        """Text typed by the user or answered by the model in the main session."""

    def injected_in(self, record: dict[str, Any]) -> list[str]:
        """The texts that a SessionStart hook gave to the model, if the record is of that."""

    def summary_in(self, record: dict[str, Any]) -> str | None:
        """The native summary, if a boundary's record holds it in clear."""

    def holds_turn(self, tail: bytes, turn_id: str) -> bool:
        """True if the prompt of this turn is in the tail of the transcript."""

    def version_in(self, record: dict[str, Any]) -> object:
        """The agent's version that wrote the record, None if it does not say."""

    def model_in(self, record: dict[str, Any]) -> object:
        """The model that answered, None if the record does not say."""


class Interfaces(Protocol):
    """A module `agents/<tool>/interfaces.py`: the ways in which the agent can be attached."""

    AGENT: str
    INTERFACES: dict[str, str]  # name in the audit log -> words for people


class Sessions(Protocol):
    """A module `agents/<tool>/sessions.py`: where the agent keeps its transcripts."""

    AGENT: str
    SESSION_VARIABLE: str | None  # the environment's name of the running session
    FIRST_MARK: bytes | None  # what the first record of a transcript holds; None: nothing sure

    def folders(self, environment: Mapping[str, str]) -> list[Path]:
        """Where the user's transcripts lie; not all of these need to be there."""

    def transcript_of(self, session_id: str, environment: Mapping[str, str]) -> Path | None:
        """The main transcript of a session; None if there is none."""

    def newest_in(self, folder: Path, environment: Mapping[str, str]) -> Path | None:
        """The transcript last written of the sessions begun in a working folder."""

    def written_since(
        self, seconds: float, environment: Mapping[str, str]
    ) -> Iterator[tuple[Path, str]]:
        """Main sessions' transcripts written since then (since the epoch), and their sessions'
        ids. Raises OSError."""


class Compactions(Protocol):
    """A module `agents/<tool>/compaction.py`: what a transcript tells around its boundaries."""

    AGENT: str

    def recognises(self, record: dict[str, Any]) -> bool:
        """True for a record that only this agent writes."""

    def origin_in(self, path: Path, records: Iterable[dict[str, Any]]) -> Origin:
        """Whose transcript it is, by its records in their order; as few as possible are taken."""

    def compaction_in(
        self, boundary: dict[str, Any], before: Iterable[bytes], after: Iterable[bytes]
    ) -> Compaction:
        """The lines `before` it come newest first, those `after` it oldest first; both lazily."""


class Stage(Protocol):
    """A module `agents/<tool>/stage.py`: what the agent hands to the hooks in one compaction."""

    AGENT: str

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


class WindowSettings(Protocol):
    """A module `agents/<tool>/window_settings.py`: which window the agent was told to use."""

    AGENT: str
    SUFFIX: str  # of its settings files

    def home(self, environment: Mapping[str, str]) -> Path:
        """The folder of the user's settings, below which the transcripts lie, too."""

    def files(self, project: Path | None, environment: Mapping[str, str]) -> list[Path]:
        """Settings files of a project: the one that counts most comes first.

        Without a project the user's own, then those above all others, the highest last.
        """

    def settings_in(self, *contents: bytes) -> dict[str | None, Setting]:
        """By model, None: every other one's; empty where no content can be read.

        Of several files key by key: what a later one says counts.
        """

    def commands(self, environment: Mapping[str, str]) -> Iterator[Dated]:
        """Each window that was chosen with a typed command."""

    def beneath(self, chosen: Setting, above: Sequence[bytes]) -> Setting:
        """What a typed window comes to beneath settings files that count more."""

    def head(self, beginning: bytes) -> Head | None:
        """What a transcript's first lines say; None: it is no transcript of this agent."""


class WindowRestore(Protocol):
    """A module `agents/<tool>/window_restore.py`: undo a change of window in a settings file."""

    AGENT: str

    def restored(self, now: bytes, change: SettingChange) -> bytes:
        """The content with the window as before, every other byte kept. Raises UsageError."""


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
