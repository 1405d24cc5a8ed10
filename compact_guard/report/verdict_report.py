"""An evaluation as a report: markdown, its charts beside it, and on demand one HTML file.

Rules are elsewhere; this only words them.
"""

import contextlib
import os
from pathlib import Path
from typing import Any

from compact_guard.evaluator.evaluation import Evaluation
from compact_guard.evaluator.verdict import Verdict
from compact_guard.report import (
    accounts,
    drawing,
    failures,
    html_file,
    interface,
    output,
    periods,
    rules,
    verdict_charts,
)
from compact_guard.report.phrases import moment

_HEADLINES: dict[Verdict, str] = {
    "KEEP": "KEEP: the guard delivered every checkpoint that counted",
    "OBSERVE": "OBSERVE: too early, or too uncertain, to say whether the guard works",
    "REVERT": "REVERT: the guard lost or repeated a checkpoint in real work",
}

_ADVICE: dict[Verdict, str] = {
    "KEEP": "Leave the hooks installed. The next report counts on from here; the first failure "
    "changes the verdict.",
    "OBSERVE": "Leave the hooks installed and go on working: the evidence grows by itself.",
    "REVERT": "Two ways from here: find and mend the cause (a new guard version starts a new "
    "observation period), or take the hooks out with `compact-guard uninstall`.",
}


def write(evaluation: Evaluation, folder: Path, *, is_html_wanted: bool = False) -> Path:
    """Write `<date>-verdict.md` (the date of as-of) and its charts into `folder`; returns it.

    With `is_html_wanted` also `<date>-verdict.html`, which holds everything in one file. Each
    file is the old one or the new one, whole. Raises UsageError where nothing can be written.
    """
    name = stem(evaluation)
    drawn = verdict_charts.charts(evaluation)
    markdown = render(evaluation, drawn)
    # The charts first: no report ever points to one that is not there.
    files = {f"{name}-{chart}.svg": svg for chart, (_, svg) in drawn.items()}
    if is_html_wanted:
        phone = verdict_charts.charts(evaluation, drawing.PHONE)
        both = {f"{name}-{chart}.svg": (drawn[chart][1], phone[chart][1]) for chart in drawn}
        files[f"{name}.html"] = html_file.page(headline(evaluation), markdown, both)
    files[f"{name}.md"] = markdown
    output.put_all(folder, files, _put)
    return folder / f"{name}.md"


def stem(evaluation: Evaluation) -> str:
    """The name of the report's files without their ending."""
    kind = "rehearsed-verdict" if evaluation.request.is_rehearsal else "verdict"
    return f"{evaluation.request.as_of:%Y-%m-%d}-{kind}"


def headline(evaluation: Evaluation) -> str:
    """The verdict in one sentence, marked where it is a rehearsal."""
    words = _HEADLINES[evaluation.verdict]
    return f"Rehearsed {words}" if evaluation.request.is_rehearsal else words


def render(evaluation: Evaluation, drawn: dict[str, tuple[str, str]] | None = None) -> str:
    """The whole report as markdown; `drawn` are its charts, drawn anew where they are not given."""
    charts = verdict_charts.charts(evaluation) if drawn is None else drawn
    return output.template("verdict.md.j2").render(_context(evaluation, charts))


def _put(file: Path, text: str) -> None:
    """A reader sees the old file or the new one; a failure leaves the old one and no draft."""
    draft = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        draft.write_text(text, encoding="utf-8", newline="\n")
        os.replace(draft, file)  # noqa: PTH105 - beside os.unlink, for the fault sweep
    except OSError:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise


def _context(evaluation: Evaluation, drawn: dict[str, tuple[str, str]]) -> dict[str, Any]:
    return {
        "headline": headline(evaluation),
        "advice": _ADVICE[evaluation.verdict],
        "is_rehearsal": evaluation.request.is_rehearsal,
        "as_of": moment(evaluation.request.as_of),
        "notes": evaluation.notes,
        "charts": [
            {"words": words, "file": f"{stem(evaluation)}-{name}.svg"}
            for name, (words, _) in drawn.items()
        ],
        "what_counts": rules.what_counts(evaluation.request.policy),
        "changes": periods.changes(evaluation),
        "verdicts": periods.verdicts(evaluation),
        "interfaces": [interface.section(evaluation, result) for result in evaluation.interfaces],
        "failures": failures.section(evaluation),
        "rows": accounts.section(evaluation),
        "periods": periods.periods(evaluation),
        "not_shown": rules.not_shown(evaluation),
        "expectations": rules.expectations(evaluation),
        "policy": rules.policy_rows(evaluation.request.policy),
    }
