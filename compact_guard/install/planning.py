"""Plan, show, apply and undo our edit of one settings file. Knows no agent.

Nothing is written before `apply`. Install then uninstall gives the old bytes back; what
the user edited in between stays.
"""

import contextlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path

from compact_guard import data_home
from compact_guard.errors import UsageError
from compact_guard.install import hook_block, json_edit, safe_file
from compact_guard.install.hook_block import Registration
from compact_guard.install.safe_file import Original

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Record:
    """What we created in one settings file; kept in our own folder until uninstall."""

    path: str
    traces: dict[str, str | None]
    # The blank text that the file held, None if it held JSON or did not exist.
    blank: str | None = None
    created_file: bool = False
    created_folders: list[str] = field(default_factory=list)
    # What was added as text at the end of a file that is no JSON.
    appended: str = ""
    schema: str = "compact-guard.installed/1"


@dataclass(frozen=True)
class Plan:
    """One edit: `after` None removes the file; `record` None forgets what we created."""

    key: str
    original: Original
    after: bytes | None
    record: Record | None
    created_folders: list[str]

    @property
    def changes_nothing(self) -> bool:
        """Whether the file already is as planned."""
        return self.after == self.original.content


def project_folder(given: str | None) -> Path | None:
    """The folder of `--project`, None for the user's settings; raises UsageError if it is none."""
    if given is None:
        return None
    folder = Path(given)
    if not folder.is_dir():
        raise UsageError(f"--project {given}: no such folder")
    return folder.resolve()


def plan_install(agent: str, path: Path, wanted: list[Registration]) -> Plan:
    """Put exactly the wanted entries into the file, replacing older ones of ours.

    Raises UsageError where the file is not ours to edit or does not parse.
    """
    original = safe_file.read(path)
    key = data_home.key_of(agent, original.path)
    with _problems_named(path):
        mark, text = _decoded(original.content)
        _check(text, tuple(registration.event for registration in wanted))
        old = _trusted_record(key, text)
        if not _is_blank(text) and hook_block.is_installed(text, wanted):
            return Plan(key, original, original.content, old, [])
        base = _without_us(text, old)
        document = "{}" + ("\r\n" if "\r\n" in base else "\n") if _is_blank(base) else base
        after, traces = hook_block.add(document, wanted)
    record = Record(
        path=str(original.path),
        traces=traces,
        blank=base if _is_blank(base) else None,
        created_file=old.created_file if old else original.content is None,
        created_folders=old.created_folders if old else _missing_folders(original.path),
    )
    return Plan(key, original, mark + after.encode(), record, record.created_folders)


def plan_uninstall(agent: str, path: Path) -> Plan:
    """Take our entries out, and the containers, file and folders that we created and are empty.

    Raises UsageError where the file is not ours to edit or does not parse.
    """
    original = safe_file.read(path)
    key = data_home.key_of(agent, original.path)
    with _problems_named(path):
        mark, text = _decoded(original.content)
        _check(text, ())
        old = _trusted_record(key, text)
        if _is_blank(text) or not hook_block.has_entries(text):
            return Plan(key, original, original.content, None, [])
        base = _without_us(text, old)
    if _is_blank(base) and old is not None and old.created_file:
        return Plan(key, original, None, None, old.created_folders)
    return Plan(key, original, mark + base.encode(), None, [])


def apply(plan: Plan, now: datetime) -> Path | None:
    """Carry the plan out; returns the backup's path, None if there was nothing to back up.

    Raises OSError; the settings file is then the old or the new one, whole. Raises
    UsageError if the file changed since it was planned.
    """
    safe_file.demand_unchanged(plan.original)
    backup = None
    if plan.original.content is not None:
        backup = data_home.backup_path(plan.key, plan.original.path, now)
        data_home.keep_backup(backup, plan.original.content)
    record = data_home.record_path(plan.key)
    if plan.record is not None:
        safe_file.private_folder(record.parent)
        safe_file.write_private(record, json.dumps(asdict(plan.record)).encode() + b"\n")
    _write(plan)
    if plan.record is None:
        with contextlib.suppress(OSError):  # a stale record is not trusted again
            record.unlink()
    return backup


def _write(plan: Plan) -> None:
    if plan.after is None:
        safe_file.remove(plan.original)
        _remove_empty(plan.created_folders)
        return
    try:
        plan.original.path.parent.mkdir(parents=True, exist_ok=True)
        safe_file.replace(plan.original, plan.after)
    except BaseException:
        _remove_empty(plan.created_folders)
        raise


def _without_us(text: str, old: Record | None) -> str:
    if _is_blank(text):
        return text
    text = hook_block.remove(text, old.traces if old else None)
    holds_nothing = not json_edit.children(text, json_edit.parse(text))
    if old is not None and holds_nothing and (old.created_file or old.blank is not None):
        return old.blank or ""
    return text


def _check(text: str, events: tuple[str, ...]) -> None:
    if not _is_blank(text):
        hook_block.check(text, events)


def _is_blank(text: str) -> bool:
    return not text.strip(" \t\r\n")


def _decoded(content: bytes | None) -> tuple[bytes, str]:
    content = content or b""
    mark = _BYTE_ORDER_MARK if content.startswith(_BYTE_ORDER_MARK) else b""
    return mark, content.removeprefix(mark).decode()


@contextlib.contextmanager
def _problems_named(path: Path) -> Iterator[None]:
    """Turn a problem with the text into a UsageError with file, line, column and mend."""
    try:
        yield
    except json_edit.JsonProblem as problem:
        place = f"{path}, line {problem.line}, column {problem.column}"
        raise UsageError(f"{place}: {problem.complaint}. {problem.mend}.") from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        column = error.start - error.object.rfind(b"\n", 0, error.start)
        place = f"{path}, line {line}, column {column}"
        raise UsageError(f"{place}: not UTF-8. Save the file as UTF-8.") from None


def _trusted_record(key: str, text: str) -> Record | None:
    """The record, if the entries that it speaks of are there and it is whole."""
    if _is_blank(text) or not hook_block.has_entries(text):
        return None
    try:
        return Record(**json.loads(data_home.record_path(key).read_bytes()))
    except (OSError, ValueError, TypeError):
        return None


def _missing_folders(path: Path) -> list[str]:
    return [str(parent) for parent in path.parents if not parent.exists()]


def _remove_empty(folders: list[str]) -> None:
    for folder in folders:
        with contextlib.suppress(OSError):
            Path(folder).rmdir()
