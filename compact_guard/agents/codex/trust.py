"""Codex runs a hook only after its user approved it: plan that approval, and tell where it stands.

Codex trusts a hook at its place in the file, by a hash of event, matcher and handler. Where its
own review approved one, the record is Codex's and stays when ours go.
"""

import contextlib
import json
import re
from collections.abc import Iterator, Mapping
from enum import Enum
from pathlib import Path
from typing import NamedTuple

from compact_guard import data_home
from compact_guard.agents.codex import app_server, approvals, settings
from compact_guard.agents.codex.app_server import Place
from compact_guard.errors import UsageError
from compact_guard.install import hook_block, safe_file
from compact_guard.install.planning import Plan, Record

_RECORD_AGENT = "codex-trust"


class Trust(Enum):
    """What Codex makes of one hook."""

    TRUSTED = "trusted"
    UNTRUSTED = "untrusted"
    MODIFIED = "modified"
    DISABLED = "disabled"


_COMPLAINTS = {
    Trust.UNTRUSTED: "not approved, so Codex does not run it, and says nothing of it",
    Trust.MODIFIED: "changed since its approval, so Codex does not run it",
    Trust.DISABLED: "switched off in Codex",
}
_APPROVE = "approve it in Codex with /hooks, or run `compact-guard install codex --trust`"
_MENDS = {
    Trust.UNTRUSTED: _APPROVE,
    Trust.MODIFIED: _APPROVE,
    Trust.DISABLED: "switch it on in Codex with /hooks",
}


class Judged(NamedTuple):
    """One of our hooks as Codex would treat it at its next start."""

    entry: hook_block.Entry
    trust: Trust


def plan_trust(hooks_file: Path, hooks: bytes, environment: Mapping[str, str]) -> Plan:
    """Approve our entries of this (planned) hooks.json, by the hashes that Codex reports.

    Raises UsageError where Codex cannot be asked or config.toml is not ours to edit.
    """
    program = settings.program(environment)
    if program is None:
        raise UsageError("--trust needs `codex` on PATH, to ask it for the hashes of the hooks")
    known = app_server.hashes(program, hooks)
    wanted = {}
    for entry in _ours(hooks):
        if place_of(entry) not in known:
            raise UsageError(f"Codex does not list this hook, so it cannot run: {entry.command}")
        wanted[place_of(entry).key(hooks_file)] = known[place_of(entry)]
    original, text, old = _config(environment)
    with _problems_named(original.path):
        after, appended = approvals.approve(text, wanted, old.appended if old else "")
    record = Record(
        path=str(original.path),
        traces={},
        created_file=old.created_file if old else original.content is None,
        appended=appended,
    )
    return Plan(_key(original), original, after.encode(), record, [])


def plan_distrust(environment: Mapping[str, str]) -> Plan:
    """Take out what `plan_trust` appended. Raises UsageError."""
    original, text, old = _config(environment)
    if old is None or original.content is None:
        return Plan(_key(original), original, original.content, None, [])
    with _problems_named(original.path):
        after = approvals.withdraw(text, old.appended)
    is_gone = not after and old.created_file
    return Plan(_key(original), original, None if is_gone else after.encode(), None, [])


def to_approve(hooks_file: Path, hooks: bytes) -> list[str]:
    """Every hook of ours as Codex's review shows it, and where that review is."""
    return [
        "Codex runs none of these hooks before you approve them. Start `codex`: it opens with",
        '"Hooks need review", and /hooks shows the same. Approve these, from',
        f"{hooks_file}:",
        *(f"  {entry.event}: {entry.command}" for entry in _ours(hooks)),
        "Or have it recorded for you: compact-guard install codex --trust",
    ]


def judge(hooks_file: Path, hooks: bytes, environment: Mapping[str, str]) -> list[Judged]:
    """What Codex would do with each of our entries.

    Without a `codex` that answers, a changed hook cannot be told from a trusted one. Raises
    UsageError where config.toml cannot be read.
    """
    original, text, _ = _config(environment)
    with _problems_named(original.path):
        records = approvals.read(text)
    known: dict[Place, str] = {}
    program = settings.program(environment)
    if program is not None:
        with contextlib.suppress(UsageError):
            known = app_server.hashes(program, hooks)
    return [
        Judged(entry, _trust(records.get(place.key(hooks_file)), known.get(place)))
        for entry, place in ((entry, place_of(entry)) for entry in _ours(hooks))
    ]


def complaints(
    hooks_file: Path, hooks: bytes, environment: Mapping[str, str]
) -> list[tuple[str, str]]:
    """Every hook of ours that Codex does not run for want of an approval, and the mend."""
    return [
        (f"{judged.entry.event}: {_COMPLAINTS[judged.trust]}", _MENDS[judged.trust])
        for judged in judge(hooks_file, hooks, environment)
        if judged.trust is not Trust.TRUSTED
    ]


def place_of(entry: hook_block.Entry) -> Place:
    """Where Codex looks for the approval of this entry."""
    event = re.sub(r"(?<!^)(?=[A-Z])", "_", entry.event).lower()
    return Place(event, entry.group, entry.index)


def moved_strangers(before: bytes | None, after: bytes | None) -> list[str]:
    """Commands of others that an edit moves: Codex will ask to approve them again."""
    there = {place_of(entry): entry for entry in _entries(after)}
    return [
        entry.command
        for entry in _entries(before)
        if not entry.is_ours and there.get(place_of(entry)) != entry
    ]


def _ours(hooks: bytes) -> list[hook_block.Entry]:
    return [entry for entry in _entries(hooks) if entry.is_ours]


def _entries(hooks: bytes | None) -> list[hook_block.Entry]:
    text = (hooks or b"").decode("utf-8-sig")
    return hook_block.entries(text) if text.strip() else []


def _trust(record: object, current_hash: str | None) -> Trust:
    if isinstance(record, dict) and record.get("enabled") is False:
        return Trust.DISABLED
    approved = approvals.hash_in(record)
    if approved is None:
        return Trust.UNTRUSTED
    return Trust.MODIFIED if current_hash not in (None, approved) else Trust.TRUSTED


def _config(environment: Mapping[str, str]) -> tuple[safe_file.Original, str, Record | None]:
    """config.toml as found, its text, and what we recorded of an earlier edit."""
    original = safe_file.read(settings.home(environment) / "config.toml")
    with _problems_named(original.path):
        text = (original.content or b"").decode()
    record = data_home.record_path(_key(original))
    with contextlib.suppress(OSError, ValueError, TypeError):
        return original, text, Record(**json.loads(record.read_bytes()))
    return original, text, None


def _key(original: safe_file.Original) -> str:
    return data_home.key_of(_RECORD_AGENT, original.path)


@contextlib.contextmanager
def _problems_named(config: Path) -> Iterator[None]:
    try:
        yield
    except ValueError as problem:  # NotEditable, or no UTF-8
        raise UsageError(
            f"{config}: {problem}. It was left alone: mend it, or approve the hooks in Codex, "
            "which shows them at its next start, or with /hooks"
        ) from None
