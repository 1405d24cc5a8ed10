"""The report's view beyond the present period: the others beside it, and the verdicts before."""

from typing import Any

from compact_guard.evaluator.evaluation import Evaluation, InterfaceResult
from compact_guard.evaluator.marts import Row
from compact_guard.report.phrases import counted, moment

VERDICTS_SHOWN_MAX = 14


def periods(evaluation: Evaluation) -> list[dict[str, Any]]:
    """Every period with natural rows, the present one first, where there is another beside it."""
    observed = [row for row in evaluation.periods if row["natural_events"]]
    if not any(not row["is_current"] for row in observed):
        return []
    present_from = {
        row["interface"]: row["first_natural_at"] for row in observed if row["is_current"]
    }
    ordered = sorted(
        observed,
        key=lambda row: (row["interface"], not row["is_current"], row["first_natural_at"]),
    )
    return [_period(row, present_from.get(row["interface"])) for row in ordered]


def _period(row: Row, present_from: Any) -> dict[str, Any]:
    kind = "earlier"
    if row["is_current"]:
        kind = "**present**"
    elif present_from is not None and row["last_natural_at"] >= present_from:
        kind = "parallel"
    return row | {
        "kind": kind,
        "fingerprint": row["guard_fingerprint"][:12],
        "from": moment(row["first_natural_at"]),
        "to": moment(row["last_natural_at"]),
    }


def changes(evaluation: Evaluation) -> list[str]:
    """What is new since each interface's last verdict; nothing where there is none."""
    if evaluation.request.is_rehearsal:
        return []
    before = [row for row in evaluation.history if row["as_of"] < evaluation.request.as_of]
    latest = {row["interface"]: row for row in before}
    return [
        _change(result, latest[result.evidence.interface])
        for result in evaluation.interfaces
        if result.evidence.interface in latest
    ]


def _change(result: InterfaceResult, last: Row) -> str:
    evidence, decision = result.evidence, result.decision
    since = f"{evidence.interface}, since {moment(last['as_of'])}:"
    turned = (
        f"still {decision.verdict}"
        if last["verdict"] == decision.verdict
        else f"**{last['verdict']} became {decision.verdict}**"
    )
    if last["guard_fingerprint"] != evidence.guard_fingerprint:
        fingerprint = (evidence.guard_fingerprint or "none")[:12]
        return f"{since} {turned}; a new observation period began (fingerprint `{fingerprint}`)"
    grown = [
        (evidence.natural_events - last["natural_events"], "natural event"),
        (evidence.eligible_counted - last["eligible_counted"], "counted compaction"),
        (evidence.sessions - last["sessions"], "session"),
        (evidence.counted_failures - last["counted_failures"], "counted failure"),
        (evidence.unresolved - last["unresolved"], "unresolved one"),
    ]
    news = [_difference(count, noun) for count, noun in grown if count]
    return f"{since} {turned}; {', '.join(news) or 'nothing new'}"


def _difference(count: int, noun: str) -> str:
    return f"{counted(count, noun)} more" if count > 0 else f"{counted(-count, noun)} fewer"


def verdicts(evaluation: Evaluation) -> list[dict[str, Any]]:
    """The last verdicts, oldest first, where there was more than one; a rehearsal is none."""
    told = [row for row in evaluation.history if row["as_of"] <= evaluation.request.as_of]
    if len({row["as_of"] for row in told}) < 2 or evaluation.request.is_rehearsal:
        return []
    return [row | {"at": moment(row["as_of"])} for row in told[-VERDICTS_SHOWN_MAX:]]
