"""A study for a person at a terminal: one screen of plain text."""

import textwrap
from collections.abc import Iterable
from typing import Any

import orjson

from compact_guard.report.phrases import counted
from compact_guard.window import study_words

Study = dict[str, Any]

_COLUMNS = 80
_LINES = 40
_DAMAGED_SHOWN = 3
_NAMES_SHOWN = 4
_NOTES_SHOWN = 2
_REASONS_SHOWN = 4


def summary(answer: bytes) -> str:
    """What was read, what it cost, what compactions cost, what a change did: 40 lines at most."""
    study: Study = orjson.loads(answer)
    lines = [*_money(study), *_compactions(study), *_change(study)]
    lines.append(study_words.headline(study))
    lines += _bullets(study["reasons"], _REASONS_SHOWN, 3)
    room = _LINES - len(lines) - 2
    return "\n".join([*_reading(study["files"], max(1, min(room, _DAMAGED_SHOWN))), *lines]) + "\n"


def _reading(files: list[Study], shown: int) -> list[str]:
    lines = [f"{counted(len(files), 'file')}, {sum(file['lines'] for file in files):,} lines"]
    damaged = study_words.damaged(files)
    lines += [_damage(file) for file in damaged[:shown]]
    if len(damaged) > shown:
        lines.append(f"  and {len(damaged) - shown} more such files (see --json)")
    return lines


def _damage(file: Study) -> str:
    words, reasons = study_words.damage(file)
    room = _COLUMNS - len(f"  {words}:  ({reasons})")
    return f"  {words}: {_end_of(file['path'], room)} ({reasons})"


def _end_of(path: str, room: int) -> str:
    """The end of a path tells more than its beginning."""
    return path if len(path) <= room else "…" + path[-max(8, room - 1) :]


def _money(study: Study) -> list[str]:
    totals = study["totals"]
    others = totals["turns"] - totals["main_turns"]
    told = f"{counted(totals['main_turns'], 'turn')} of main sessions cost "
    told += f"${totals['main_cost_usd']:,.2f}"
    if others:
        told += f", {others:,} of subagents ${totals['cost_usd'] - totals['main_cost_usd']:,.2f}"
    lines = [told]
    if study["unpriced_models"]:
        models = study["unpriced_models"]
        names = ", ".join(models[:_NAMES_SHOWN])
        names += f" and {len(models) - _NAMES_SHOWN} more" * (len(models) > _NAMES_SHOWN)
        unpriced = counted(totals["unpriced_turns"], "turn")
        lines += _wrapped(f"  without a price, and in no sum: {unpriced} of {names} (see --prices)")
    return lines + [line for told in study_words.stubs(totals) for line in _wrapped(f"  {told}")]


def _compactions(study: Study) -> list[str]:
    told = [study_words.typical(study["typical_boundary"]), *study_words.waits(study["waits"])]
    return [
        line for number, words in enumerate(told) for line in _wrapped("  " * (number > 0) + words)
    ]


def _change(study: Study) -> list[str]:
    change = study["change"]
    if change["at"] is None:
        return []
    lines = _wrapped(study_words.change(change))
    if change["settings"]:
        told = change["settings"]
        lines += _wrapped(
            f"  {told['before'] or 'nothing on record'} became {told['after'] or 'unset'}", 2
        )
    lines += _bullets(change["notes"], _NOTES_SHOWN, 2)
    return lines + _sides(study["periods"])


def _sides(periods: list[Study]) -> list[str]:
    """All sessions of each side; the report has those that compare, too."""
    shown = [
        period
        for period in periods
        if period["period"] != "undated" and period["cost_per_turn_mean_usd"] is not None
    ]
    lines = [
        "                                           compactions    minutes waited",
        "          sessions   $/turn  context/turn  per 100 turns  per day",
    ]
    return [*lines, *map(_side, shown)] if shown else []


def _side(period: Study) -> str:
    return (
        f"  {period['period']:<7} {period['sessions']:>8,}  "
        f"{period['cost_per_turn_mean_usd']:>7.4f}  "
        f"{period['context_per_turn_mean']:>12,.0f}  "
        f"{100 * period['boundaries_per_turn']:>13.2f}  "
        f"{(period['seconds_waited_per_day'] or 0) / 60:>14.1f}"
    )


def _bullets(told: Iterable[str], most: int, lines_max: int) -> list[str]:
    every = list(told)
    lines = [line for words in every[:most] for line in _wrapped(f"  - {words}", lines_max)]
    return lines + [f"  and {len(every) - most} more (see --json)"] * (len(every) > most)


def _wrapped(words: str, lines_max: int = 3) -> list[str]:
    return textwrap.wrap(
        words,
        _COLUMNS,
        subsequent_indent="    ",
        break_on_hyphens=False,
        max_lines=lines_max,
        placeholder=" …",
    )
