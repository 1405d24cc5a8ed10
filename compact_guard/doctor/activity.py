"""Did the agent run the hooks? Its own recent transcripts against our audit log, both bounded."""

import contextlib
import json
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from compact_guard import data_home
from compact_guard.agents import registry
from compact_guard.doctor.findings import Finding
from compact_guard.hook import identity, paths
from compact_guard.hook.run import load_adapter
from compact_guard.hook.transcript import Transcript, objects_in
from compact_guard.install.settings_file import SettingsFile

_SECONDS_MAX = 14 * 86_400  # two weeks of work show whether the hooks run
_FILES_MAX = 40
_FILE_BYTES_MAX = 16 << 20  # from each file's end
_BYTES_MAX = 200 << 20  # in all: a second or two


class Seen(NamedTuple):
    """A boundary in a transcript, as seconds since the epoch."""

    session_hash: str
    at: float
    file: Path


def findings(
    agent: SettingsFile, settings: Path, environment: Mapping[str, str], now: float
) -> list[Finding]:
    """Compactions since the installation that left no row."""
    since = _installed_at(agent.AGENT, settings)
    if since is None:
        return []
    since = max(since, now - _SECONDS_MAX)
    boundaries = list(_boundaries(agent, environment, since))
    rows = _rows(agent.AGENT, since)
    if not boundaries and not rows:
        problem = "no compaction since the installation: nothing shows yet that the hooks run"
        mend = "work on, and run this again after one"
        return [Finding(agent.AGENT, "activity", problem, mend, is_note=True)]
    lost = _without_row(boundaries, rows)
    if not lost:
        return []
    newest = max(lost, key=lambda seen: seen.at)
    when = datetime.fromtimestamp(newest.at, UTC).strftime("%Y-%m-%d %H:%M UTC")
    where = f"the newest at {when} in {newest.file}"
    if not rows:
        problem = f"the hooks never ran: compactions since the installation: {len(lost)}, {where}"
        return [Finding(agent.AGENT, "never_fired", problem, _mend(agent))]
    problem = f"{len(lost)} of {len(boundaries)} recent compactions left no row, {where}"
    return [Finding(agent.AGENT, "missing_rows", problem, _mend(agent))]


def _mend(agent: SettingsFile) -> str:
    return (
        "restart sessions that are older than the installation; mend what else is found here; "
        f"or run `compact-guard install {agent.AGENT}` again"
    )


def _installed_at(agent: str, settings: Path) -> float | None:
    record = data_home.record_path(data_home.key_of(agent, settings.resolve()))
    try:
        return record.stat().st_mtime
    except OSError:
        return None


def _without_row(boundaries: list[Seen], rows: Counter[str]) -> list[Seen]:
    """Per session, the newest boundaries beyond the number of its rows."""
    spare, lost = rows.copy(), []
    for seen in sorted(boundaries, key=lambda seen: seen.at):
        if spare[seen.session_hash] > 0:
            spare[seen.session_hash] -= 1
        else:
            lost.append(seen)
    return lost


def _boundaries(
    agent: SettingsFile, environment: Mapping[str, str], since: float
) -> Iterator[Seen]:
    allowance = _BYTES_MAX
    for _, file, session_id in _recent(agent.AGENT, environment, since):
        if allowance <= 0:
            return
        try:
            transcript = Transcript(str(file))
        except (OSError, ValueError):
            continue
        allowance -= min(transcript.complete_bytes, _FILE_BYTES_MAX)
        session_hash = identity.session_hash(agent.AGENT, session_id)
        for at in _times(agent.AGENT, transcript):
            if at >= since:
                yield Seen(session_hash, at, file)


def _recent(
    agent: str, environment: Mapping[str, str], since: float
) -> list[tuple[float, Path, str]]:
    found = []
    with contextlib.suppress(OSError):  # a session ended and was removed meanwhile
        for file, session_id in registry.sessions_of(agent).written_since(since, environment):
            found.append((file.stat().st_mtime, file, session_id))
    return sorted(found, reverse=True)[:_FILES_MAX]


def _times(agent: str, transcript: Transcript) -> Iterator[float]:
    adapter = load_adapter(agent)
    for _, line in transcript.lines_backward(_FILE_BYTES_MAX):
        if line is None or adapter.BOUNDARY_MARK not in line:
            continue
        for _, record in objects_in(line)[0]:
            if adapter.is_boundary(record):
                yield _seconds(record.get("timestamp"))


def _rows(agent: str, since: float) -> Counter[str]:
    """How many compactions of each session our log holds; keys are session hashes."""
    rows: Counter[str] = Counter()
    first_day = time.strftime("%Y-%m-%d", time.gmtime(since))
    for log in sorted(Path(paths.audit_folder()).glob("*.jsonl")):
        if log.stem < first_day:
            continue
        for row in _read(log):
            is_of_agent = row.get("agent") == agent and row.get("event") == "pre_compact"
            # A subagent's run, or one that stepped back for another, is no compaction's row.
            is_of_agent = is_of_agent and row.get("outcome") != "skipped"
            if is_of_agent and _seconds(row.get("recorded_at")) >= since:
                rows[str(row.get("session_hash"))] += 1
    return rows


def _read(log: Path) -> Iterator[dict[str, Any]]:
    try:
        lines = log.read_bytes().splitlines()
    except OSError:
        return
    for line in lines:
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if isinstance(row, dict):
            yield row


def _seconds(value: object) -> float:
    """Seconds since the epoch; 0 for what is no time, so that it is taken for old."""
    try:
        moment = datetime.fromisoformat(str(value))
    except ValueError:
        return 0.0
    return moment.replace(tzinfo=moment.tzinfo or UTC).timestamp()
