"""Read audit logs as strictly as the contract says; what cannot be used is counted, never dropped.

A line becomes a row, or a rejection that keeps file, line, length, hash and reason, but nothing
of its content: a foreign line may hold anything.
"""

import hashlib
import importlib.resources
import json
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from compact_guard.errors import UsageError

if TYPE_CHECKING:
    import jsonschema_rs

SCHEMA_NAME = "compact-guard.audit/1"
LINE_BYTES_MAX = 4_000  # the contract's bound; a longer line was not written by a guard
INTEGER_MAX = 2**63 - 1  # what the warehouse's bigint holds

INSTALL_HINT = "install the hooks with `compact-guard install claude-code`, then work as usual"


class Line(NamedTuple):
    """One non-blank line of an audit log: an accepted row, or a reason why not."""

    file: str
    line_number: int
    line_bytes: int
    line_hash: str
    reject_reason: str | None
    row: dict[str, Any] | None


class Rejected(Exception):
    """Why a line is no audit row, in the closed vocabulary of the report."""


def audit_files(paths: list[Path]) -> list[Path]:
    """The audit log files under `paths` (files, or folders of `*.jsonl`), sorted, each once.

    Raises UsageError when a path is missing or holds no audit log at all.
    """
    found: dict[Path, Path] = {}
    for path in paths:
        if not path.exists():
            raise UsageError(f"no audit log at {path}: {INSTALL_HINT}")
        files = sorted(path.glob("**/*.jsonl")) if path.is_dir() else [path]
        if not files:
            raise UsageError(f"no audit log (*.jsonl) in {path}: {INSTALL_HINT}")
        found.update({file.resolve(): file for file in files})
    return sorted(found.values())


def read_lines(file: Path) -> Iterator[Line]:
    """Every non-blank line of one file, in order. Raises UsageError where it cannot be read."""
    try:
        with file.open("rb") as log:
            for number, raw in enumerate(log, start=1):
                text = raw.rstrip(b"\r\n")
                if text.strip():
                    yield parse_line(text, str(file), number)
    except OSError as error:
        raise UsageError(
            f"cannot read {file}: {error.strerror}; mend its permissions or leave it out"
        ) from error


def parse_line(text: bytes, file: str, number: int) -> Line:
    """One line without its line end, judged by the contract."""
    line_hash = hashlib.sha256(text).hexdigest()
    try:
        row = audit_row(text)
    except Rejected as reason:
        return Line(file, number, len(text), line_hash, str(reason), None)
    return Line(file, number, len(text), line_hash, None, row)


def audit_row(text: bytes) -> dict[str, Any]:
    """The contract's fields of one line, unknown fields left out; raises Rejected."""
    if len(text) > LINE_BYTES_MAX:
        raise Rejected("too_long")
    record = _json_object(text.removeprefix(b"\xef\xbb\xbf"))
    schema = record.get("schema")
    if schema != SCHEMA_NAME:
        is_ours = isinstance(schema, str) and schema.startswith("compact-guard.audit/")
        raise Rejected("newer_schema" if is_ours else "foreign_schema")
    known = {name: record[name] for name in field_names() if name in record}
    if not _is_valid(known):
        raise Rejected("breaks_schema")
    row = {name: known.get(name) for name in field_names()}
    row["recorded_at"] = _utc(record["recorded_at"])
    row["subagent"] = bool(record.get("subagent", False))
    for name in ("transcript_bytes", "last_boundary_bytes"):
        row[name] = _bounded_integer(row[name])
    return row


def field_names() -> list[str]:
    """The contract's field names, in its order."""
    return list(_schema()["properties"])


def content_hash(row: dict[str, Any]) -> str:
    """SHA-256 over the contract's fields: two rows with one event id are equal if this is."""
    canonical = json.dumps(row, sort_keys=True, default=str, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def _is_valid(record: dict[str, Any]) -> bool:
    try:
        return _validator().is_valid(record)
    except UnicodeEncodeError:  # half a surrogate pair: JSON lets it through, no field allows it
        return False


def _json_object(text: bytes) -> dict[str, Any]:
    try:
        record = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise Rejected("not_json") from error
    if not isinstance(record, dict):
        raise Rejected("not_an_object")
    return record


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _utc(text: str) -> datetime:
    """A naive UTC time, cut to microseconds; the schema lets a 31st of February through."""
    try:
        return datetime.fromisoformat(text).replace(tzinfo=None)
    except ValueError as error:
        raise Rejected("no_such_time") from error


def _bounded_integer(value: float | None) -> int | None:
    if value is None:
        return None
    if value > INTEGER_MAX:
        raise Rejected("number_too_large")
    return int(value)


@cache
def _schema() -> dict[str, Any]:
    contracts = importlib.resources.files("compact_guard") / "contracts"
    schema: dict[str, Any] = json.loads((contracts / "audit-event.schema.json").read_text("utf-8"))
    return schema


@cache
def _validator() -> "jsonschema_rs.Draft202012Validator":
    import jsonschema_rs

    return jsonschema_rs.Draft202012Validator(_schema())
