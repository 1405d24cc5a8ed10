"""A simulation for a person at a terminal: money and minutes side by side."""

import textwrap
from typing import Any

Row = dict[str, Any]

_COLUMNS = 80
_MODELS_SHOWN = 4
_WINDOW_LINES = 12  # of all models together: the whole answer fits one screen
_MARKED = 2  # the best window and the present one are shown in any case


def summary(simulated: Row) -> str:
    """Each model's windows and its best one, the back-test, and what all of it assumes."""
    every = [model for model in simulated["models"] if model["best"]]
    replayed = sorted(every, key=lambda model: -model["turns"])[:_MODELS_SHOWN]
    shown = max(1, _WINDOW_LINES // max(1, len(replayed)) - _MARKED)
    lines = [line for model in replayed for line in _model(model, shown)]
    if len(every) > len(replayed):
        lines.append(f"and {len(every) - len(replayed)} more models (see --json)")
    lines += _not_replayed([model for model in simulated["models"] if not model["best"]])
    lines += _back_test(simulated["back_test"])
    lines.append("assumed:")
    lines += [line for told in simulated["assumptions"] for line in _wrapped(f"  {told}")]
    return "\n".join(lines) + "\n"


def _wrapped(words: str) -> list[str]:
    return textwrap.wrap(words, _COLUMNS, subsequent_indent="    ", break_on_hyphens=False)


def _model(model: Row, shown: int) -> list[str]:
    best = model["best"]
    return [
        f"{model['model']}: {model['sessions']} sessions, {model['turns']:,} turns",
        *_wrapped(f"  best: compaction at {best['window']:,} tokens{_range(best)}{_saving(model)}"),
        "   window   $/turn  with waiting  compactions and seconds per 100 turns",
        *(_window(row, model) for row in _shown(model, shown)),
    ]


def _not_replayed(models: list[Row]) -> list[str]:
    reasons = dict.fromkeys(model["reason"] for model in models)
    lines = []
    for reason in reasons:
        names = ", ".join(model["model"] for model in models if model["reason"] == reason)
        lines += _wrapped(f"{names}: {reason}")
    return lines


def _range(best: Row) -> str:
    flat = f"; {best['flat_from']:,} to {best['flat_to']:,} are as good"
    if best["low"] is None:
        return flat
    few = ", too few sessions to be sure" if best["is_thin"] else ""
    return f" (nine of ten draws: {best['low']:,} to {best['high']:,}{few}){flat}"


def _saving(model: Row) -> str:
    best, present = model["best"], model["present_window"]
    if best["saving_low"] is None:
        return ""
    return (
        f"; against the present {present:,} it saves {best['saving']:.1%} "
        f"({best['saving_low']:.1%} to {best['saving_high']:.1%})"
    )


def _shown(model: Row, shown: int) -> list[Row]:
    """The best and the present window, and others evenly between; of those that nothing reaches,
    the first."""
    rows: list[Row] = model["windows"]
    reached = [number for number, row in enumerate(rows) if row["boundaries_per_turn"]]
    rows = rows[: reached[-1] + 2] if reached else rows[:1]
    step = -(-len(rows) // shown)
    always = (model["best"]["window"], model["present_window"])
    return [row for number, row in enumerate(rows) if number % step == 0 or row["window"] in always]


def _window(row: Row, model: Row) -> str:
    marks = [
        name
        for name, is_so in (
            ("best", row["window"] == model["best"]["window"]),
            ("present", row["window"] == model["present_window"]),
            ("beyond what was seen", row["is_beyond_observed"]),
        )
        if is_so
    ]
    return (
        f"{row['window']:>9,}  {row['cost_per_turn_usd']:>7.4f}  "
        f"{row['cost_with_waiting_usd']:>12.4f}  {100 * row['boundaries_per_turn']:>11.2f}  "
        f"{100 * row['seconds_waited_per_turn']:>7.0f}  {', '.join(marks)}"
    ).rstrip()


def _back_test(told: Row | None) -> list[str]:
    if told is None:
        return ["back-test: none, no change of window with compactions on both sides is known"]
    return [
        f"back-test: fitted on {told['sessions_before']} sessions before the change, "
        f"{told['sessions_after']} after it at {told['window']:,}",
        "   per turn      observed  predicted     error  naive replay  its error",
        _tested("compactions", told["boundaries_per_turn"]),
        _tested("dollars", told["cost_per_turn_usd"]),
    ]


def _tested(name: str, row: Row) -> str:
    return (
        f"   {name:<12}  {row['observed']:>8.4f}  {row['predicted']:>9.4f}  "
        f"{_error(row['error']):>8}  {row['naive']:>12.4f}  {_error(row['naive_error']):>9}"
    )


def _error(share: float | None) -> str:
    return "" if share is None else f"{share:+.1%}"
