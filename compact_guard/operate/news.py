"""What is new since somebody was told: a verdict that changed, an injection missed or duplicated.

Pure: facts told before and an evaluation in, news out.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass

from compact_guard.evaluator.evaluation import Evaluation
from compact_guard.operate.standing import Facts
from compact_guard.report import wording
from compact_guard.report.phrases import counted, second

VERDICT_CHANGED = "compact-guard.verdict.changed"
FAILED = {
    "missed": "compact-guard.injection.missed",
    "duplicated": "compact-guard.injection.duplicated",
}

# A guard that nobody has judged yet is under observation.
_AT_FIRST = "OBSERVE"


@dataclass(frozen=True)
class News:
    """One thing worth telling; `key` and `value` are the fact that it brings up to date."""

    event: str
    interface: str
    guard_fingerprint: str | None
    verdict: str
    text: str
    key: str
    value: str | int

    def as_json(self) -> dict[str, object]:
        """What is handed to others: no paths, no text of any conversation."""
        told = asdict(self)
        return {name: told[name] for name in told if name not in ("key", "value")}


def facts(evaluation: Evaluation) -> Facts:
    """What can become news: each interface's verdict, each period's failures."""
    found: Facts = {
        _verdict_key(result.evidence.interface): result.decision.verdict
        for result in evaluation.interfaces
    }
    for period in evaluation.periods:
        for outcome in FAILED:
            key = _failure_key(outcome, period["interface"], period["guard_fingerprint"])
            found[key] = int(period[outcome])
    return found


def since(told: Facts | None, evaluation: Evaluation) -> list[News]:
    """The news, failures first; `told` None: nobody was told anything yet.

    Then the failures of earlier periods are history, not news.
    """
    return [*_failures(told, evaluation), *_changes(told or {}, evaluation)]


def _failures(told: Facts | None, evaluation: Evaluation) -> Iterator[News]:
    verdicts = {one.evidence.interface: one.decision.verdict for one in evaluation.interfaces}
    for period in evaluation.periods:
        interface, fingerprint = period["interface"], period["guard_fingerprint"]
        if interface not in verdicts or (told is None and not period["is_current"]):
            continue
        for outcome, event in FAILED.items():
            key = _failure_key(outcome, interface, fingerprint)
            before, count = int((told or {}).get(key, 0)), int(period[outcome])
            if count > before:
                text = _failure_text(evaluation, interface, fingerprint, outcome, count - before)
                yield News(event, interface, fingerprint, verdicts[interface], text, key, count)


def _failure_text(
    evaluation: Evaluation, interface: str, fingerprint: str, outcome: str, count: int
) -> str:
    same = [
        row
        for row in evaluation.failed
        if (row["interface"], row["guard_fingerprint"], row["outcome"])
        == (interface, fingerprint, outcome)
    ]
    text = f"{interface}: {counted(count, f'{outcome} injection')} more"
    if not same:
        return text
    newest = max(same, key=lambda row: row["recorded_at"])
    return f"{text}, the newest at {second(newest['recorded_at'])} UTC: " + str(
        wording.FAILURES[newest["detail"]]
    )


def _changes(told: Facts, evaluation: Evaluation) -> Iterator[News]:
    for result in evaluation.interfaces:
        interface, verdict = result.evidence.interface, result.decision.verdict
        key = _verdict_key(interface)
        before = told.get(key, _AT_FIRST)
        if verdict != before:
            text = f"{interface}: {before} became {verdict}: {'; '.join(result.decision.reasons)}"
            fingerprint = result.evidence.guard_fingerprint
            yield News(VERDICT_CHANGED, interface, fingerprint, verdict, text, key, verdict)


def _verdict_key(interface: str) -> str:
    return f"verdict {interface}"


def _failure_key(outcome: str, interface: str, fingerprint: str) -> str:
    return f"{outcome} {interface} {fingerprint}"
