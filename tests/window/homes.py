"""A user's home with transcripts, settings and what is left of older settings, for tests."""

import json
import os
import subprocess
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Self

from compact_guard.window import settings_history
from compact_guard.window.settings_history import Places
from tests.window import histories
from tests.window.stories import CodexStory, codex_usage

GIT = ("git", "-c", "user.name=n", "-c", "user.email=n@a.example", "-c", "commit.gpgsign=false")


class Home:
    """Claude Code's folder; times are days after the first session, four sessions a day."""

    NAME = "settings.json"

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / self.NAME
        self.transcripts = folder / "projects"
        self.transcripts.mkdir(parents=True)

    def sessions(self, windows: Iterable[int], turns: int = 44, **use: Any) -> Self:
        """One session each, which compacts at that context; the longest is six turns longer."""
        for number, window in enumerate(windows):
            folder = self.transcripts / "p"
            histories.session(folder, number, window, turns=turns + number % 7, **use)
        return self

    def saved(self, days: float, **settings: object) -> Self:
        """The settings file, as it was written then."""
        return self.written(self.file, days, json.dumps(settings))

    def written(self, file: Path, days: float, text: str) -> Self:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        seconds = self.moment(days).replace(tzinfo=UTC).timestamp()
        os.utime(file, (seconds, seconds))
        return self

    def copied(self, suffix: str) -> Self:
        """A backup, made as the file stands."""
        status = self.file.stat()
        copy = self.file.with_name(self.NAME + suffix)
        copy.write_bytes(self.file.read_bytes())
        os.utime(copy, (status.st_mtime, status.st_mtime))
        return self

    def committed(self, days: float) -> Self:
        """The folder is a repository, and the file as it stands is committed."""
        at = f"{self.moment(days).isoformat()}+00:00"
        dates = {"GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at}
        for command in (["init", "-q"], ["add", "-A", self.NAME], ["commit", "-qm", "x"]):
            subprocess.run([*GIT, *command], cwd=self.folder, env=os.environ | dates, check=True)
        return self

    def typed(self, days: float, command: str) -> Self:
        at = self.moment(days).replace(tzinfo=UTC).timestamp() * 1_000
        entry = {"display": command, "timestamp": int(at), "project": "/home/user/project"}
        with (self.folder / "history.jsonl").open("a") as file:
            file.write(json.dumps(entry) + "\n")
        return self

    @staticmethod
    def moment(days: float) -> datetime:
        """Naive UTC."""
        return histories.START + timedelta(days=days)


class CodexHome(Home):
    """Codex's folder; a rollout names the size of the model's window."""

    NAME = "config.toml"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.transcripts = folder / "sessions"
        self.transcripts.mkdir()

    def rollouts(
        self, windows: Iterable[int], sizes: Iterable[int | None] = (), turns: int = 60
    ) -> Self:
        """One session each, a quarter of a day apart, which compacts at that many tokens.

        `sizes` are what the rollouts record as the model's window.
        """
        recorded = [*sizes]
        for number, window in enumerate(windows):
            name, begins = f"t{number:03}", timedelta(hours=6 * number)
            story = CodexStory(self.transcripts / f"rollout-{name}.jsonl", name, begins)
            if recorded:
                started = {"type": "task_started", "model_context_window": recorded[number]}
                story.record("event_msg", started)
            _work(story, window, turns + number % 7)
        return self


def _work(story: CodexStory, window: int, turns: int) -> None:
    """Each turn reads what was given before and adds 5,000 tokens."""
    spent, context, read = [0, 0, 0], 20_000, 0
    for _ in range(turns):
        last = (context, read, 100)
        spent = [total + now for total, now in zip(spent, last, strict=True)]
        info = {
            "total_token_usage": codex_usage(*spent),
            "last_token_usage": codex_usage(*last),
        }
        story.after(30).record("event_msg", {"type": "token_count", "info": info})
        context, read = context + 5_000, context
        if context > window:
            story.after(40).compacted()
            context, read = 20_000, 0


def on_record(*homes: Home) -> list[tuple[Any, ...]]:
    """(days, days at the earliest, tokens before, tokens after) of each change."""
    transcripts = tuple(path for one in homes for path in one.transcripts.rglob("*.jsonl"))
    history = settings_history.look(Places(transcripts), os.environ)
    return [
        (
            _days(change.at),
            change.earliest and _days(change.earliest),
            change.before and change.before.begins_at,
            change.after.begins_at,
        )
        for change in history.changes
    ]


def _days(moment: datetime) -> float:
    return round((moment - histories.START) / timedelta(days=1), 3)
