"""What the study of a change demands; shipped in rules.toml, each value with its reason."""

from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec

from compact_guard import toml_file
from compact_guard.toml_file import TomlFile

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

    Raises UsageError naming the file, the line and the mend.
    """
    shipped = Path(__file__).with_name("rules.toml")
    told = toml_file.read(file or shipped, "policy")
    values = _values(toml_file.read(shipped, "policy")) | _values(told)
    try:
        return msgspec.convert([values[name] for name in Rules._fields], Rules)
    except msgspec.ValidationError as error:
        # msgspec counts the fields of a tuple; people know them by name.
        [number] = toml_file.keys_of(str(error))
        name = Rules._fields[int(number)]
        raise told.mistake(str(error).replace(f"`$[{number}]`", name), name, "value") from error


def _values(told: TomlFile) -> dict[str, Any]:
    """`name = value` and `[name]` with `value` alike; whom to tell is for window_news."""
    for name in told.content:
        if name not in (*Rules._fields, "notify"):
            known = ", ".join(Rules._fields)
            raise told.mistake(f"unknown setting {name!r}; known: {known}", name)
    return {
        name: value.get("value") if isinstance(value, dict) else value
        for name, value in told.content.items()
        if name != "notify"
    }
