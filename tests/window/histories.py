"""Many sessions over weeks, with a change of window among them, for tests."""

from datetime import datetime, timedelta
from pathlib import Path

from tests.window.stories import MODEL, ClaudeStory

START = datetime(2026, 11, 1)
WRITTEN_PER_TURN = 5_000
CONTEXT_FIRST = 20_000


def session(
    folder: Path,
    number: int,
    window: int,
    *,
    turns: int = 30,
    out: int = 100,
    trigger: str = "auto",
    written: int = WRITTEN_PER_TURN,
    read_again: int = 0,
    name: str = "",
    cwd: str = "/home/user/project",
    model: str = MODEL,
) -> ClaudeStory:
    """One session a quarter of a day after the one before it; it compacts at `window`.

    `read_again` tokens come on top of each of the first five turns after a boundary.
    """
    name = name or f"s{number:03}"
    story = ClaudeStory(folder / f"{name}.jsonl", name, cwd)
    story.now += timedelta(hours=6 * number)
    context, since = 0, turns
    for turn in range(turns):
        grown = context + written if context else CONTEXT_FIRST
        grown += read_again if 1 <= since <= 5 else 0
        if grown > window:
            story.after(60).boundary(context, trigger=trigger)
            context, grown, since = 0, CONTEXT_FIRST, 0
        since += 1
        story.after(30 + (7 * number + turn) % 5)
        story.said(f"{name}-{turn}", read=context, write_5m=grown - context, out=out, model=model)
        context = grown
    return story


def change_of_window(
    folder: Path, before: int = 160_000, after: int = 80_000, sessions: int = 24, **session_use: int
) -> Path:
    """As many sessions with the one window as with the other, of slightly different lengths."""
    for number in range(2 * sessions):
        window = before if number < sessions else after
        session(folder, number, window, turns=44 + number % 7, **session_use)
    return folder


def at(number: int) -> datetime:
    """Just before that session starts."""
    return START + timedelta(hours=6 * number)
