"""A simulation for a person at a terminal: money and minutes side by side."""

from typing import Any

Row = dict[str, Any]

_SHOWN = 12


def summary(simulated: Row) -> str:
    """Each model's windows and its best one, the back-test, and what all of it assumes."""
    lines = [line for model in simulated["models"] for line in _model(model)]
    lines += _back_test(simulated["back_test"])
    lines += ["assumed:", *(f"  {assumption}" for assumption in simulated["assumptions"])]
    return "\n".join(lines) + "\n"


def _model(model: Row) -> list[str]:
    head = f"{model['model']}: {model['sessions']} sessions, {model['turns']:,} turns"
    if model["best"] is None:
        return [f"{head}; {model['reason']}"]
    best = model["best"]
    lines = [
        head,
        f"  best: compaction at {best['window']:,} tokens ({best['low']:,} to {best['high']:,} in "
        f"nine of ten draws); equally good from {best['flat_from']:,} to {best['flat_to']:,}",
        "  window    $ per turn  with waiting  compactions/100 turns  seconds/100 turns",
    ]
    return lines + [_window(row, model) for row in _shown(model)]


def _shown(model: Row) -> list[Row]:
    """The best and the present window, and others evenly between."""
    rows: list[Row] = model["windows"]
    step = -(-len(rows) // _SHOWN)
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
