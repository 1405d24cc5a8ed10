"""What the study of a change demands; shipped in rules.toml, each value with its reason."""

import tomllib
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec

from compact_guard.errors import UsageError

Share = Annotated[float, msgspec.Meta(gt=0, lt=1)]
Count = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]


class Rules(NamedTuple):
    """Counts hold for each side of a change; shares are between 0 and 1."""

    min_sessions: Count
    min_turns: Count
    confidence: Share
    max_work_difference: Share
    max_proposal_p_value: Share
    min_window_shift: Share
    resamples: Count
    max_unpriced: Share


def load(file: Path | None = None) -> Rules:
    """The shipped rules, overridden by `file`; its `[notify]` is for whoever tells of a study.

    Raises UsageError naming the file and the mend.
    """
    shipped = Path(__file__).with_name("rules.toml")
    values = _values(shipped) | (_values(file) if file else {})
    values.pop("notify", None)  # whom to tell: window_news
    unknown = values.keys() - set(Rules._fields)
    if unknown:
        known = ", ".join(Rules._fields)
        raise UsageError(f"{file}: unknown setting {min(unknown)!r}; known: {known}")
    try:
        return msgspec.convert([values[name] for name in Rules._fields], Rules)
    except msgspec.ValidationError as error:
        raise UsageError(f"{file}: {_named(str(error))}") from error


def _values(file: Path) -> dict[str, Any]:
    """`name = value` and `[name]` with `value` alike."""
    try:
        told = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"cannot read the policy {file}: {error}") from error
    return {
        name: value.get("value") if isinstance(value, dict) else value
        for name, value in told.items()
    }


def _named(complaint: str) -> str:
    """msgspec counts the fields of a tuple; people know them by name."""
    for number, name in enumerate(Rules._fields):
        complaint = complaint.replace(f"`$[{number}]`", name)
    return complaint
