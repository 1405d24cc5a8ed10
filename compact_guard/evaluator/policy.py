"""The policy: what a verdict demands, every value with its reason.

A policy file is TOML; it overrides the shipped values one by one, as `name = value` or as a
table `[name]` with `value` and `reason`. Its `[notify]` table says whom to tell.
"""

import importlib.resources
import math
import re
import tomllib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from compact_guard.errors import UsageError
from compact_guard.operate import channels
from compact_guard.operate.channels import Channels

_DURATION = re.compile(r"(\d+(?:\.\d+)?)([smhd])")
_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}

_SHARES = ("max_miss_rate", "confidence", "min_coverage", "max_unresolved", "max_quarantined")
_COUNTS = ("min_natural_events", "min_sessions")


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
        return math.ceil(math.log(1 - self.confidence) / math.log(1 - self.max_miss_rate))


def load(file: Path | None = None) -> Policy:
    """The shipped policy, overridden by `file`. Raises UsageError naming the file and the mend."""
    shipped = importlib.resources.files("compact_guard") / "evaluator" / "policy.toml"
    settings = _entries(_parsed(shipped.read_text(encoding="utf-8"), "policy.toml"), "policy.toml")
    notify = Channels()
    if file is not None:
        try:
            text = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"cannot read the policy {file}: {error}") from error
        parsed = _parsed(text, str(file))
        if "notify" in parsed:
            notify = channels.parse(parsed.pop("notify"), str(file))
        overrides = _entries(parsed, str(file))
        for name in overrides.keys() - settings.keys():
            raise UsageError(f"{file}: unknown setting {name!r}; known: {', '.join(settings)}")
        settings |= overrides
    return replace(_policy(settings, str(file or "policy.toml")), notify=notify)


def _parsed(text: str, name: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{name} is not TOML: {error}") from error


def _entries(parsed: dict[str, Any], name: str) -> dict[str, tuple[Any, str]]:
    return {key: _entry(key, value, name) for key, value in parsed.items()}


def _entry(key: str, value: Any, name: str) -> tuple[Any, str]:
    if not isinstance(value, dict):
        return value, "set without a reason"
    if "value" not in value or value.keys() - {"value", "reason"}:
        raise UsageError(f"{name}: [{key}] takes `value` and `reason`, nothing else")
    return value["value"], str(value.get("reason", "set without a reason"))


def _policy(settings: dict[str, tuple[Any, str]], name: str) -> Policy:
    values = {key: value for key, (value, _) in settings.items()}
    for key in _SHARES:
        _demand(_is_share(values[key]), name, key, "a number between 0 and 1")
    for key in _COUNTS:
        _demand(_is_count(values[key]), name, key, "a whole number, 0 or more")
    _demand(0 < values["confidence"] < 1, name, "confidence", "more than 0 and less than 1")
    _demand(0 < values["max_miss_rate"] < 1, name, "max_miss_rate", "more than 0 and less than 1")
    _demand(isinstance(values["revert_early"], bool), name, "revert_early", "true or false")
    _demand(
        _is_list_of(values["natural_triggers"], ("auto", "manual")),
        name,
        "natural_triggers",
        'a list of "auto" and "manual"',
    )
    interfaces, grace = values.pop("interfaces"), values.pop("grace")
    _demand(interfaces == "all" or _is_list_of(interfaces), name, "interfaces", '"all" or a list')
    return Policy(
        **{
            **values,
            "natural_triggers": tuple(values["natural_triggers"]),
            "grace_seconds": _seconds(grace, name),
        },
        interfaces=None if interfaces == "all" else tuple(interfaces),
        reasons={key: reason for key, (_, reason) in settings.items()},
    )


def _demand(is_met: bool, name: str, key: str, wanted: str) -> None:
    if not is_met:
        raise UsageError(f"{name}: {key} must be {wanted}")


def _is_share(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_list_of(value: Any, allowed: tuple[str, ...] | None = None) -> bool:
    return isinstance(value, list) and all(
        isinstance(item, str) and (allowed is None or item in allowed) for item in value
    )


def _seconds(text: Any, name: str) -> float:
    match = _DURATION.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise UsageError(f'{name}: grace must be a duration like "30m" (s, m, h or d)')
    return float(match[1]) * _SECONDS[match[2]]
