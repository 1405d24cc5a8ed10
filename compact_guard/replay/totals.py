"""The sums of a replay. A boundary that stands in several files counts once."""

import statistics
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from compact_guard.hook import cues
from compact_guard.hook.selection import RULES
from compact_guard.replay.answer import Answer
from compact_guard.replay.rows import Boundary, File

Counts = dict[str, int]


@dataclass(frozen=True)
class Totals:
    """Of all compactions; `judged` are those whose native summary can be read.

    By rank: `held` of all, `held_judged` and `rescued` of the judged ones; a statement that was
    lost at several compactions is in `rescued` each time. `lost_words` counts the user's own
    corrections, decisions and constraints among them, each once.
    """

    sessions: int
    compactions: int
    copies: int
    judged: int
    held: Counts
    held_judged: Counts
    rescued: Counts
    lost_words: Counts
    carried: int
    redactions: int
    units_median: int | None
    cpu_ms_median: float | None
    first_at: datetime | None
    last_at: datetime | None

    @property
    def unjudged(self) -> int:
        """Compactions of which nobody can tell what their summary holds."""
        return self.compactions - self.judged


def of(answer: Answer) -> Totals:
    """The sums over every file of an answer."""
    counted = [(file, each) for file in answer.files for each in file.boundaries]
    pairs = [(file, each) for file, each in counted if not each.is_copy]
    found = [each for _, each in pairs]
    judged = [each for each in found if each.lost is not None]
    saved = [each for each in found if each.outcome == "saved"]
    times = [each.at for each in found if each.at]
    return Totals(
        sessions=len({_session(file) for file, _ in pairs}),
        compactions=len(found),
        copies=len(counted) - len(found),
        judged=len(judged),
        held=_sum(each.held for each in found),
        held_judged=_sum(each.held for each in judged),
        rescued=_sum(each.rescued() or {} for each in judged),
        lost_words=_lost_words(pairs),
        carried=sum(each.carried for each in found),
        redactions=sum(each.redactions for each in found),
        units_median=round(statistics.median(each.units for each in saved)) if saved else None,
        cpu_ms_median=round(statistics.median(each.cpu_ms for each in found), 1) if found else None,
        first_at=min(times, default=None),
        last_at=max(times, default=None),
    )


def _sum(counts: Iterator[Counts]) -> Counts:
    total: Counter[str] = Counter()
    for each in counts:
        total.update(each)
    return {rank: total[rank] for rank in cues.RANKS}


def _lost_words(pairs: list[tuple[File, Boundary]]) -> Counts:
    said = {
        (_session(file), statement.rank, statement.text)
        for file, boundary in pairs
        for statement in boundary.lost or ()
        if statement.speaker == "user" and statement.rank in RULES
    }
    counts = Counter(rank for _, rank, _ in said)
    return {rank: counts[rank] for rank in RULES}


def _session(file: File) -> tuple[str | None, str]:
    """A session may lie in several files."""
    return file.agent, (file.origin.session_id if file.origin else None) or file.path
