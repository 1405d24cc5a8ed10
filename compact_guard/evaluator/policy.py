"""The policy: what a verdict demands, every value with its reason.

A policy file is TOML; it overrides the shipped values one by one, as `name = value` or as a
table `[name]` with `value` and `reason`. Its `[notify]` table says whom to tell.
"""

import importlib.resources
import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from compact_guard import toml_file
from compact_guard.operate import channels
from compact_guard.operate.channels import Channels
from compact_guard.toml_file import TomlFile

_DURATION = re.compile(r"(\d+(?:\.\d+)?)([smhd])")
_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}

# Beyond these nothing can be awaited, drawn or computed.
_COUNT_MAX = 1_000_000
_MISS_RATE_MIN = 0.000_001
_GRACE_DAYS_MAX = 365


@dataclass(frozen=True)
class Policy:
    """What a verdict demands; shares are between 0 and 1, `grace_seconds` in seconds."""

    min_natural_events: int
    max_miss_rate: float
    confidence: float
    min_sessions: int
    natural_triggers: tuple[str, ...]
    min_coverage: float
    max_unresolved: float
    max_quarantined: float
    grace_seconds: float
    interfaces: tuple[str, ...] | None  # None: all of them
    revert_early: bool
    reasons: dict[str, str] = field(default_factory=dict, compare=False)
    # Whom to tell takes no part in a verdict, and an address may hold a secret.
    notify: Channels = field(default=Channels(), compare=False, repr=False)

    @property
    def needed(self) -> int:
        """Counted compactions without a failure that bound the miss rate: 59 by default."""
        return math.ceil(math.log(1 - self.confidence) / math.log1p(-self.max_miss_rate))


def load(file: Path | None = None) -> Policy:
    """The shipped policy, overridden by `file`. Raises UsageError naming file, line and mend."""
    shipped = importlib.resources.files("compact_guard") / "evaluator" / "policy.toml"
    told = toml_file.parse(shipped.read_text(encoding="utf-8"), "policy.toml")
    settings, notify = _entries(told), Channels()
    if file is not None:
        told = toml_file.read(file, "policy")
        overrides = _entries(told)
        for name in overrides.keys() - settings.keys():
            raise told.mistake(f"unknown setting {name!r}; known: {', '.join(settings)}", name)
        settings |= overrides
        notify = channels.of(told)
    _check({key: value for key, (value, _) in settings.items()}, told)
    return replace(_policy(settings), notify=notify)


def _entries(told: TomlFile) -> dict[str, tuple[Any, str]]:
    entries = told.content.items()
    return {key: _entry(key, value, told) for key, value in entries if key != channels.TABLE}


def _entry(key: str, value: Any, told: TomlFile) -> tuple[Any, str]:
    if not isinstance(value, dict):
        return value, "set without a reason"
    if "value" not in value or value.keys() - {"value", "reason"}:
        raise told.mistake(f"[{key}] takes `value` and `reason`, nothing else", key)
    return value["value"], str(value.get("reason", "set without a reason"))


def _check(values: dict[str, Any], told: TomlFile) -> None:
    """Raise UsageError for the first value that is none of those its setting can have."""
    for key, (is_right, wanted) in _DEMANDS.items():
        if not is_right(values[key]):
            raise told.mistake(f"{key} must be {wanted}", key, "value")


def _policy(settings: dict[str, tuple[Any, str]]) -> Policy:
    values = {key: value for key, (value, _) in settings.items()}
    interfaces, grace = values.pop("interfaces"), values.pop("grace")
    triggers = tuple(values.pop("natural_triggers"))
    return Policy(
        **values,
        natural_triggers=triggers,
        grace_seconds=_seconds(grace),
        interfaces=None if interfaces == "all" else tuple(interfaces),
        reasons={key: reason for key, (_, reason) in settings.items()},
    )


def _is_share(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _COUNT_MAX


def _is_list_of(value: Any, allowed: tuple[str, ...] | None = None) -> bool:
    if not isinstance(value, list) or not value:
        return False
    return all(isinstance(item, str) and (allowed is None or item in allowed) for item in value)


def _is_duration(value: Any) -> bool:
    if not isinstance(value, str) or _DURATION.fullmatch(value) is None:
        return False
    return _seconds(value) <= _GRACE_DAYS_MAX * _SECONDS["d"]


def _seconds(text: str) -> float:
    match = _DURATION.fullmatch(text)
    assert match is not None
    return float(match[1]) * _SECONDS[match[2]]


_SHARE = (_is_share, "a number between 0 and 1")
_COUNT = (_is_count, f"a whole number from 0 to {_COUNT_MAX:,}")
_DEMANDS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "min_natural_events": _COUNT,
    "max_miss_rate": (
        lambda value: _is_share(value) and _MISS_RATE_MIN <= value < 1,
        f"a number from {_MISS_RATE_MIN:f} to less than 1",
    ),
    "confidence": (
        lambda value: _is_share(value) and 0 < value < 1,
        "a number, more than 0 and less than 1",
    ),
    "min_sessions": _COUNT,
    "natural_triggers": (
        lambda value: _is_list_of(value, ("auto", "manual")),
        'a list of "auto", "manual" or both',
    ),
    "min_coverage": _SHARE,
    "max_unresolved": _SHARE,
    "max_quarantined": _SHARE,
    "grace": (
        _is_duration,
        f'a duration like "30m" (s, m, h or d), at most {_GRACE_DAYS_MAX}d',
    ),
    "interfaces": (
        lambda value: value == "all" or _is_list_of(value),
        '"all" or a list of at least one name',
    ),
    "revert_early": (lambda value: isinstance(value, bool), "true or false"),
}
