"""What Codex's rollout files say of use and cost. Facts: README.md, "Counting"."""

from pathlib import Path
from typing import Any, NamedTuple

from compact_guard.agents.codex import usage_records
from compact_guard.agents.codex.durations import Durations, Preceding, Recent, preceding
from compact_guard.agents.codex.triggers import Triggers
from compact_guard.agents.codex.usage_records import Payload, Record, Usage
from compact_guard.hook import identity
from compact_guard.transcripts.stretches import Stretch
from compact_guard.window.usage import Event, Source, loosely

AGENT = "codex"


class _Use(NamedTuple):
    """Token counts that can be subtracted from each other."""

    input: int
    cached: int
    written: int
    output: int


_NOTHING = _Use(0, 0, 0, 0)


class Reader:
    """Reads one file's records in order."""

    AGENT = AGENT

    def __init__(self, path: Path) -> None:
        self._session: Payload | None = None  # the first session_meta; forks copy others
        self._ancestors: list[str] = []
        self._model: str | None = None
        self._total: _Use | None = None  # of the newest token_count
        self._restarts = 0  # of that total
        self._is_recorded = False  # a token_usage_record tells of what the next token_count adds
        self._turns: dict[str, Event] = {}
        self._boundaries: list[Event] = []
        self._triggers = Triggers()
        self._durations = Durations()
        self._recent = Recent()

    def is_settled(self, lines: int) -> bool:
        """No line is read twice."""
        return True

    def take_stretch(self, line_number: int, stretch: Stretch) -> int:
        """All lines from this one on, if all are plain: how many. Else 0, and nothing changes."""
        records = stretch.rows(usage_records.decoded_lines)
        if records is None:
            return 0
        self._recent.take(line_number, records)
        for number, record in enumerate(records, line_number):
            if record.type != "response_item":
                self._take_record(number, record)
        return len(records)

    def take(self, line_number: int, line: bytes) -> None:
        """One plain line; raises msgspec.DecodeError for any other."""
        self._take_alone(line_number, usage_records.decoded(line))

    def take_object(self, line_number: int, line_bytes: int, record: dict[str, Any]) -> None:
        """One object of a line that is damaged, glued or unusual."""
        self._take_alone(line_number, loosely(Record, record))

    def source(self) -> Source:
        """What the first session_meta says, and from whom the file may hold copies."""
        session = self._session or Payload()
        own = session.id or session.session_id
        ancestors = tuple(dict.fromkeys(name for name in self._ancestors if name != own))
        return Source(own, session.cwd, self._is_subagent(), ancestors)

    def events(self) -> list[Event]:
        """Responses in their order, then boundaries."""
        calls = {boundary.call_key for boundary in self._boundaries}
        events = [*self._turns.values(), *self._boundaries]
        for event in events:
            event.is_main = not self._is_subagent()
            event.is_compaction_call = event.kind == "turn" and event.event_key in calls
        return events

    def _take_alone(self, line_number: int, record: Record) -> None:
        self._recent.take(line_number, [record])
        self._take_record(line_number, record)

    def _take_record(self, line_number: int, record: Record) -> None:
        payload = record.payload
        if payload is None:
            return
        match record.type:
            case "event_msg" if payload.type == "token_count":
                self._take_count(line_number, record, payload)
            case "event_msg":
                self._triggers.take_event(payload.type, payload.item)
                self._durations.take_event(payload)
            case "token_usage_record":
                self._take_usage_record(line_number, record, payload)
            case "compacted":
                self._take_boundary(line_number, record, payload)
            case "turn_context":
                self._model = payload.model or self._model
            case "session_meta":
                self._take_session(payload)

    def _take_session(self, payload: Payload) -> None:
        self._session = self._session or payload
        # A fork copies its parent's lines, a session_meta among them; a fresh subagent does not.
        for name in (payload.forked_from_id, payload.id):
            if name is not None:
                self._ancestors.append(name)

    def _take_usage_record(self, line_number: int, record: Record, payload: Payload) -> None:
        """New files tell of every response, compactions among them, with an id."""
        if payload.usage is None:
            return
        self._is_recorded = True
        use = _use(payload.usage)
        key = payload.response_id or f"line {line_number}"
        turn = self._add(line_number, record.timestamp, key, use, use.input)
        turn.thread_hash = _hash(payload.thread_id or self._thread(record.timestamp))

    def _take_count(self, line_number: int, record: Record, payload: Payload) -> None:
        """Old files tell a running total, often twice, that restarts and may begin elsewhere."""
        if payload.info is None or payload.info.total_token_usage is None:
            return
        total = _use(payload.info.total_token_usage)
        before, self._total = self._total, total
        if total == before:
            return
        if self._is_recorded:
            self._is_recorded = False
            return
        last = _use(payload.info.last_token_usage or payload.info.total_token_usage)
        if before is None and last == _NOTHING:
            return  # what a parent had used when this thread began
        is_restart = before is not None and _is_less(total, before)
        self._restarts += is_restart
        base = _NOTHING if is_restart else before
        # A thread that goes on from another begins with the other's total.
        use = last if base is None else _increase(base, total)
        key = "/".join(map(str, (self._restarts, *total, *last)))
        turn = self._add(line_number, record.timestamp, key, use, last.input)
        turn.thread_hash = _hash(self._thread(record.timestamp))
        turn.copy_key = key

    def _take_boundary(self, line_number: int, record: Record, payload: Payload) -> None:
        # Old files give no id; the time is copied into forks.
        key = payload.window_id or f"{record.timestamp}#{len(self._boundaries)}"
        boundary = Event("boundary", line_number, key, record.timestamp, is_main=True)
        before = preceding(self._recent.before(line_number))
        boundary.call_key = payload.compaction_response_id or self._call_before(line_number, before)
        boundary.agent_version = self._session.cli_version if self._session else None
        self._boundaries.append(boundary)
        self._triggers.take_boundary(boundary)
        self._durations.take_boundary(boundary, before)

    def _call_before(self, line_number: int, before: Preceding) -> str | None:
        """Older files name no call: within a turn, what is counted behind the summary is it."""
        newest = next(reversed(self._turns.values()), None)
        if newest is None or before.summary_lines_before is None:
            return None
        is_behind = newest.line_number > line_number - before.summary_lines_before
        return newest.event_key if is_behind and self._durations.is_turn_open else None

    def _add(self, line_number: int, at: str | None, key: str, use: _Use, context: int) -> Event:
        self._triggers.take_response()
        turn = self._turns[key] = Event(
            "turn",
            line_number,
            key,
            at,
            is_main=True,
            model=self._model,
            input_tokens=max(0, use.input - use.cached - use.written),
            output_tokens=use.output,
            cache_read_tokens=use.cached,
            cache_write_5m_tokens=use.written,
            cache_write_1h_tokens=0,
            context_tokens=context,
        )
        return turn

    def _thread(self, at: str | None) -> str | None:
        """Whose record it is: what is older than this thread was copied from its parent."""
        session = self._session or Payload()
        own = session.id or session.session_id
        is_older = bool(at and session.timestamp and at[:19] < session.timestamp[:19])
        parent = session.forked_from_id or session.parent_thread_id
        return parent if parent and is_older else own

    def _is_subagent(self) -> bool:
        session = self._session or Payload()
        if session.thread_source == "subagent":
            return True
        is_spawned = isinstance(session.source, dict) and "subagent" in session.source
        return is_spawned or bool(session.parent_thread_id and session.thread_source != "user")


def _hash(thread: str | None) -> str | None:
    return None if thread is None else identity.session_hash(AGENT, thread)


def _use(usage: Usage | None) -> _Use:
    if usage is None:
        return _NOTHING
    return _Use(
        usage.input_tokens,
        usage.cached_input_tokens,
        usage.cache_write_input_tokens,
        usage.output_tokens,
    )


def _is_less(total: _Use, before: _Use) -> bool:
    return total.input + total.output < before.input + before.output


def _increase(before: _Use, total: _Use) -> _Use:
    return _Use(*(max(0, now - then) for now, then in zip(total, before, strict=True)))
