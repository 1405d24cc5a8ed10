"""A simulation for a person at a terminal: money and minutes side by side."""

from typing import Any

Row = dict[str, Any]

_HEAD_LINES = 4
_LINES = 24  # of all models' windows together: the whole answer fits one screen
_SHOWN_MIN = 3


def summary(simulated: Row) -> str:
    """Each model's windows and its best one, the back-test, and what all of it assumes."""
    replayed = [model for model in simulated["models"] if model["best"]]
    shown = max(_SHOWN_MIN, _LINES // max(1, len(replayed)) - _HEAD_LINES)
    lines = [line for model in replayed for line in _model(model, shown)]
    lines += _not_replayed([model for model in simulated["models"] if not model["best"]])
    lines += _back_test(simulated["back_test"])
    lines += ["assumed:", *(f"  {assumption}" for assumption in simulated["assumptions"])]
    return "\n".join(lines) + "\n"


def _model(model: Row, shown: int) -> list[str]:
    head = f"{model['model']}: {model['sessions']} sessions, {model['turns']:,} turns"
    best = model["best"]
    lines = [
        head,
        f"  best: compaction at {best['window']:,} tokens{_range(best)}; "
        f"equally good from {best['flat_from']:,} to {best['flat_to']:,}",
        *_saving(best, model["present_window"]),
        "  window    $ per turn  with waiting  compactions/100 turns  seconds/100 turns",
    ]
    return lines + [_window(row, model) for row in _shown(model, shown)]


def _not_replayed(models: list[Row]) -> list[str]:
    reasons = dict.fromkeys(model["reason"] for model in models)
    return [
        f"{', '.join(model['model'] for model in models if model['reason'] == reason)}: {reason}"
        for reason in reasons
    ]


def _range(best: Row) -> str:
    if best["low"] is None:
        return ""
    few = ", of few sessions" if best["is_thin"] else ""
    return f" ({best['low']:,} to {best['high']:,} in nine of ten draws{few})"


def _saving(best: Row, present: int | None) -> list[str]:
    if best["saving_low"] is None:
        return []
    return [
        f"  against the present {present:,} it saves {best['saving']:.1%} "
        f"({best['saving_low']:.1%} to {best['saving_high']:.1%})"
    ]


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
        f"  {row['window']:>9,}  {row['cost_per_turn_usd']:>9.4f}  "
        f"{row['cost_with_waiting_usd']:>12.4f}  {100 * row['boundaries_per_turn']:>21.2f}  "
        f"{100 * row['seconds_waited_per_turn']:>17.0f}  {', '.join(marks)}"
    ).rstrip()


def _back_test(told: Row | None) -> list[str]:
    if told is None:
        return ["back-test: none, no change of window with compactions on both sides is known"]
    lines = [
        f"back-test: fitted on {told['sessions_before']} sessions before the change, "
        f"{told['sessions_after']} after it at {told['window']:,} tokens"
    ]
    for name, words in (
        ("boundaries_per_turn", "compactions per turn"),
        ("cost_per_turn_usd", "dollars per turn"),
    ):
        row = told[name]
        lines.append(
            f"  {words}: observed {row['observed']:.4f}, predicted {row['predicted']:.4f} "
            f"({_error(row['error'])}), naive replay {row['naive']:.4f} "
            f"({_error(row['naive_error'])})"
        )
    return lines


def _error(share: float | None) -> str:
    return "nothing to compare" if share is None else f"{share:+.1%}"
