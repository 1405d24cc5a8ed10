"""After an evaluation: tell what is new, once, and remember it. Never the reason that one fails."""

import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from compact_guard import progress
from compact_guard.errors import BusyError
from compact_guard.evaluator import writer_lock
from compact_guard.evaluator.evaluation import Evaluation, InterfaceResult
from compact_guard.evaluator.policy import Policy
from compact_guard.install import safe_file
from compact_guard.operate import digest, news, notify, standing
from compact_guard.operate.channels import Channels
from compact_guard.operate.news import News
from compact_guard.operate.standing import Facts, InterfaceStanding, Standing

WAIT_SECONDS = 60.0


def tell_news(evaluation: Evaluation, report: Path) -> tuple[News, ...]:
    """Tell the policy's channels what is new, and remember it; returns the news.

    What could not be told is told after the next evaluation. A rehearsal, a look at another
    period, and a look back are no news.
    """
    _summarize(evaluation, os.environ)
    request = evaluation.request
    if request.is_rehearsal or request.guard_fingerprint is not None:
        return ()
    file = standing.file_of(list(request.audit))
    try:
        safe_file.private_folder(file.parent.parent)
        safe_file.private_folder(file.parent)
        with writer_lock.held(file, WAIT_SECONDS, progress.tell):
            return _tell_and_remember(evaluation, report, file)
    except (OSError, BusyError) as error:
        progress.warn(f"what is new could not be remembered, it may be told again: {error}")
        return ()


def _tell_and_remember(evaluation: Evaluation, report: Path, file: Path) -> tuple[News, ...]:
    before, now = standing.read(file), datetime.now(UTC).replace(tzinfo=None)
    if before is not None and evaluation.request.as_of < before.as_of <= now:
        return ()
    told = before.told if before else None
    found = news.since(told, evaluation)
    untold = [one for one in found if not _is_told(one, evaluation.request.policy.notify)]
    facts = _as_told(news.facts(evaluation), untold, told or {})
    standing.write(file, _standing(evaluation, report, facts, now))
    return tuple(found)


def _is_told(one: News, channels: Channels) -> bool:
    complaints = notify.tell(one, channels)
    for complaint in complaints:
        progress.warn(complaint)
    return not complaints


def _as_told(facts: Facts, untold: list[News], told: Facts) -> Facts:
    """The facts, but what nobody could be told stays as it was told last."""
    stale = {one.key: told.get(one.key) for one in untold}
    merged = {key: stale.get(key, value) for key, value in facts.items()}
    return {key: value for key, value in merged.items() if value is not None}


def _standing(evaluation: Evaluation, report: Path, told: Facts, now: datetime) -> Standing:
    policy = evaluation.request.policy
    return Standing(
        as_of=evaluation.request.as_of,
        evaluated_at=now,
        verdict=evaluation.verdict,
        report=str(report.resolve()),
        interfaces=tuple(_of_interface(result, policy) for result in evaluation.interfaces),
        told=told,
    )


def _of_interface(result: InterfaceResult, policy: Policy) -> InterfaceStanding:
    evidence = result.evidence
    return InterfaceStanding(
        interface=evidence.interface,
        verdict=result.decision.verdict,
        guard_fingerprint=evidence.guard_fingerprint,
        failures=evidence.failures,
        eligible_counted=evidence.eligible_counted,
        needed=policy.needed,
        sessions=evidence.sessions,
        min_sessions=policy.min_sessions,
        natural_events=evidence.natural_events,
        min_natural_events=policy.min_natural_events,
        reasons=result.decision.reasons,
    )


def _summarize(evaluation: Evaluation, environment: Mapping[str, str]) -> None:
    """GitHub Actions shows what is appended to this file on the page of the run."""
    if file := environment.get("GITHUB_STEP_SUMMARY"):
        try:
            with Path(file).open("a", encoding="utf-8") as summary:
                summary.write(digest.markdown(evaluation) + "\n")
        except OSError as error:
            progress.warn(f"GITHUB_STEP_SUMMARY: {error}")
