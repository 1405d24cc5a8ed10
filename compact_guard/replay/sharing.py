"""A replay that can be shown to anybody: numbers alone, no path, id, name, time or text."""

from dataclasses import replace

from compact_guard.replay.answer import Answer
from compact_guard.replay.compaction import Origin
from compact_guard.replay.rows import Boundary, File


def anonymous(answer: Answer) -> Answer:
    """Sessions and statements become running numbers, so that what is counted once stays so."""
    sessions, statements = _Numbers("session"), _Numbers("statement")
    files = [
        replace(
            file,
            path=f"file {number}",
            origin=_origin(file, sessions) if file.boundaries else None,
            boundaries=tuple(_boundary(each, statements) for each in file.boundaries),
        )
        for number, file in enumerate(answer.files, start=1)
    ]
    return replace(answer, files=tuple(files))


class _Numbers(dict[str, str]):
    """A running number for each name, given when it is first asked for."""

    def __init__(self, thing: str) -> None:
        super().__init__()
        self._thing = thing

    def __missing__(self, name: str) -> str:
        self[name] = f"{self._thing} {len(self) + 1}"
        return self[name]


def _origin(file: File, sessions: _Numbers) -> Origin:
    session = (file.origin.session_id if file.origin else None) or file.path
    return Origin(sessions[f"{file.agent} {session}"], None, None, False)


def _boundary(boundary: Boundary, statements: _Numbers) -> Boundary:
    lost = boundary.lost
    return replace(
        boundary,
        key="",
        at=None,
        agent_version=None,
        lost=None
        if lost is None
        else [replace(each, at=None, text=statements[each.text]) for each in lost],
    )
