"""Replay one transcript: compose at each of its boundaries what the hook would have saved there."""

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from compact_guard.agents import registry
from compact_guard.agents.contract import Compactions
from compact_guard.hook.limits import LINE_BYTES_MAX
from compact_guard.hook.run import load_adapter
from compact_guard.hook.transcript import objects_in
from compact_guard.progress import silent
from compact_guard.replay import boundaries, past
from compact_guard.replay.dry_guard import DryGuard
from compact_guard.replay.past import Past
from compact_guard.replay.rows import Boundary, File

# A foreign file may be large: an agent's own file shows itself in its first lines.
_LINES_UNRECOGNISED_MAX = 1_000
_HEAD_BYTES_MAX = 2 * LINE_BYTES_MAX
_AFTER_BYTES_MAX = 2 * LINE_BYTES_MAX

Advance = Callable[[int], object]


def replay(path: Path, advance: Advance = silent) -> File:
    """One file, whatever its damage. Writes nothing, and raises nothing for what the file holds.

    `advance` is called with each number of (decompressed) bytes that were searched.
    """
    file = File(os.fsencode(path).decode("utf-8", "replace"))
    try:
        file = replace(file, size_bytes=path.stat().st_size)
        with past.opened(path) as transcript:
            return _replayed(path, file, transcript, advance)
    except ImportError:
        return replace(file, skipped="no_zstandard")
    except OSError as error:
        is_readable = error.errno is None and path.is_file()
        return replace(file, skipped="endless_line" if is_readable else "no_access")


def _replayed(path: Path, file: File, transcript: Past, advance: Advance) -> File:
    agent = _agent_of(transcript)
    if isinstance(agent, str):
        return replace(file, skipped=agent)
    origin = agent.origin_in(path, _head(transcript))
    file = replace(file, agent=agent.AGENT, origin=origin)
    if origin.is_subagent:
        return replace(file, skipped="subagent")
    guard = DryGuard(transcript, load_adapter(agent.AGENT), origin)
    found = tuple(_boundaries(transcript, agent, guard, advance))
    unreadable = {
        "damaged": guard.lines_damaged + transcript.damaged_boundaries,
        "too_long": len(transcript.too_long),
        "broken_off": int(transcript.is_broken_off),
    }
    return replace(file, boundaries=found, unreadable={k: n for k, n in unreadable.items() if n})


def _agent_of(transcript: Past) -> Compactions | str:
    """Whose transcript it is, else why it is nobody's."""
    reason = "empty"
    for record in _head(transcript):
        reason = "foreign"
        for agent in registry.compactions():
            if agent.recognises(record):
                return agent
    return reason


def _head(transcript: Past) -> Iterator[dict[str, Any]]:
    lines = transcript.lines_forward(0, _HEAD_BYTES_MAX)
    for _, line in zip(range(_LINES_UNRECOGNISED_MAX), lines, strict=False):
        for _, record in objects_in(line)[0]:
            yield record


def _boundaries(
    transcript: Past, agent: Compactions, guard: DryGuard, advance: Advance
) -> Iterator[Boundary]:
    for found in boundaries.find(transcript, guard.adapter, advance):
        # What a hook would have found: it runs before anything of the boundary is written.
        transcript.complete_bytes = found.line_start
        after = transcript.lines_forward(found.line_end, _AFTER_BYTES_MAX)
        compaction = agent.compaction_in(found.record, transcript.lines_before(), after)
        yield guard.compact(compaction)
