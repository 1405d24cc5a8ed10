"""A replay for a person at a terminal: the table, what it comes to, a few examples."""

from collections.abc import Iterator

from compact_guard.replay import phrases, table
from compact_guard.replay import totals as sums
from compact_guard.replay.answer import Answer
from compact_guard.replay.examples import Example
from compact_guard.replay.terminal import Paint, harmless, wrapped
from compact_guard.replay.totals import Totals

_COLUMNS_MAX = 100  # of running text: longer lines are hard to read


def lines(
    answer: Answer, examples: list[Example], columns: int, paint: Paint, next_steps: list[str]
) -> Iterator[str]:
    """What `compact-guard replay` prints; `next_steps` are commands to try."""
    totals = sums.of(answer)
    width = min(columns, _COLUMNS_MAX)
    if totals.compactions:
        fitting = table.fitting(list(answer.files), totals, columns, paint)
        yield from fitting.lines(columns)
        yield ""
        for line in wrapped(_headline(totals), width):
            yield paint(line, "strong")
        for told in _notes(totals, fitting.legend):
            yield from (paint(line, "faint") for line in wrapped(told, width))
    else:
        yield from wrapped(_nothing(answer), width)
    for told in _reading(answer):
        yield from (paint(line, "faint") for line in wrapped(told, width))
    if examples:
        yield ""
        yield "What the summaries lost, for example:"
        for example in examples:
            yield from _example(example, width, paint)
    if next_steps:
        yield ""
        yield "To have checkpoints from now on, look at the plan:"
        yield from (f"  {command}" for command in next_steps)


def _headline(totals: Totals) -> str:
    """The whole replay in one sentence."""
    of_what = (
        f"{phrases.counted(totals.compactions, 'compaction')} in "
        f"{phrases.counted(totals.sessions, 'session')}"
    )
    if not totals.judged:
        return f"{of_what}: no summary can be read, so nobody can tell what was lost."
    if not any(totals.lost_words.values()):
        return f"{of_what}: the summaries lost no correction, decision or constraint of yours."
    lost = phrases.ranked(totals.lost_words)
    return f"{of_what}: {lost} of yours that the summaries lost would have been given back."


def _notes(totals: Totals, legend: str | None) -> Iterator[str]:
    """How to read the table, and what it does not tell."""
    if totals.judged:
        yield (
            "5/7 means: the checkpoint holds 7, and 5 of them are in neither the summary nor the "
            "messages that stayed word for word. Words are compared: a paraphrase counts as lost."
        )
    if totals.unjudged:
        yield (
            f"-/7 means: nobody can tell, since the summary is encrypted or missing "
            f"({phrases.counted(totals.unjudged, 'compaction')})."
        )
    if legend:
        yield legend
    yield (
        "secrets: redacted before anything else; size: what is injected, in characters (Codex: "
        f"bytes), {totals.units_median or 0:,} in the middle; ms: CPU time of composing it, "
        f"{totals.cpu_ms_median or 0:.0f} in the middle."
    )
    if totals.copies:
        copies = phrases.counted(totals.copies, "compaction")
        yield f"{copies} more stood in forks or copies of these sessions; each counts once."


def _reading(answer: Answer) -> Iterator[str]:
    """What was read, and what was left out, by reason."""
    replayed = [file for file in answer.files if not file.skipped]
    size = sum(file.size_bytes for file in replayed)
    yield (
        f"Read {phrases.counted(len(replayed), 'transcript')}, {phrases.sized(size)}, in "
        f"{answer.seconds:.1f} s; nothing was written."
    )
    skipped, unreadable = (
        phrases.skipped_files(answer.files),
        phrases.unreadable_lines(answer.files),
    )
    left_out = "; ".join(filter(None, (skipped, unreadable)))
    if left_out:
        yield f"Left out: {left_out}."


def _nothing(answer: Answer) -> str:
    replayed = sum(not file.skipped for file in answer.files)
    return f"No compaction yet in {phrases.counted(replayed, 'transcript')}: nothing to replay."


def _example(example: Example, width: int, paint: Paint) -> Iterator[str]:
    """`2026-11-28 14:03  correction  “No, not the staging database”`."""
    at = f"{example.compacted_at:%Y-%m-%d %H:%M}" if example.compacted_at else ""
    head = f"  {at:16}  {example.statement.rank.removesuffix('s'):10}  "
    quoted = wrapped(f"“{harmless(example.statement.text)}”", width - len(head), "")
    yield paint(head, "faint") + quoted[0]
    yield from (" " * len(head) + line for line in quoted[1:])
