"""Read audit logs as strictly as the contract says; what cannot be used is counted, never dropped.

A line becomes a row, or a rejection that keeps file, line, length, hash and reason, but nothing
of its content: a foreign line may hold anything.
"""

import hashlib
import importlib.resources
import json
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

if TYPE_CHECKING:
    import jsonschema_rs

SCHEMA_NAME = "compact-guard.audit/1"
LINE_BYTES_MAX = 4_000  # the contract's bound; a longer line was not written by a guard
INTEGER_MAX = 2**63 - 1  # what the warehouse's bigint holds


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
    record = _json_object(text)
    schema = record.get("schema")
    if schema != SCHEMA_NAME:
        is_ours = isinstance(schema, str) and schema.startswith("compact-guard.audit/")
        raise Rejected("newer_schema" if is_ours else "foreign_schema")
    names = field_names()
    if not record.keys() <= _field_set():
        record = {name: value for name, value in record.items() if name in _field_set()}
    if not _is_valid(record):
        raise Rejected("breaks_schema")
    row = {name: record.get(name) for name in names}
    row["recorded_at"] = _utc(record["recorded_at"])
    row["subagent"] = bool(row["subagent"])
    row["transcript_bytes"] = _bounded_integer(row["transcript_bytes"])
    row["last_boundary_bytes"] = _bounded_integer(row["last_boundary_bytes"])
    return row


@cache
def field_names() -> tuple[str, ...]:
    """The contract's field names, sorted."""
    return tuple(sorted(schema()["properties"]))


@cache
def _field_set() -> frozenset[str]:
    return frozenset(field_names())


def canonical(row: dict[str, Any]) -> bytes:
    """The row as JSON, the same for equal content."""
    try:
        return orjson.dumps(row, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # an integer beyond 64 bits among the counts
        return json.dumps(row, sort_keys=True, default=datetime.isoformat).encode()


def _is_valid(record: dict[str, Any]) -> bool:
    try:
        return _validator().is_valid(record)
    except UnicodeEncodeError:  # half a surrogate pair: JSON lets it through, no field allows it
        return False


def _json_object(text: bytes) -> dict[str, Any]:
    try:
        record = orjson.loads(text)
    except orjson.JSONDecodeError:
        record = _json_of_a_stranger(text.removeprefix(b"\xef\xbb\xbf"))
    if not isinstance(record, dict):
        raise Rejected("not_an_object")
    return record


def _json_of_a_stranger(text: bytes) -> Any:
    """What only the standard library takes: a byte order mark, half a surrogate pair."""
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise Rejected("not_json") from error


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
def schema() -> dict[str, Any]:
    """The contract of a row, as JSON Schema."""
    contracts = importlib.resources.files("compact_guard") / "contracts"
    contract: dict[str, Any] = json.loads(
        (contracts / "audit-event.schema.json").read_text("utf-8")
    )
    return contract


@cache
def _validator() -> "jsonschema_rs.Draft202012Validator":
    import jsonschema_rs

    return jsonschema_rs.Draft202012Validator(schema())
