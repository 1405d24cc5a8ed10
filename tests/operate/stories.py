"""Evaluations of small logs, without the gate, and what was told of them."""

import json
from datetime import datetime
from pathlib import Path

from compact_guard.evaluator import evaluation
from compact_guard.evaluator.policy import load
from compact_guard.evaluator.request import Evaluation, Request
from compact_guard.operate import follow_up
from compact_guard.operate.channels import Channels
from compact_guard.operate.news import News
from compact_guard.report import verdict_report
from tests.builders import Session, busy_weeks, rows_of, write_log
from tests.evaluator.nights import NIGHT

INTERFACE = "claude-code/anthropic"


def failing(name: str, **fields) -> Session:
    """A session whose start hook delivered nothing."""
    return Session(name, **fields).pre(f"checkpoint of {name}").finish().start(None, "none")


class Log:
    """An audit log that grows, judged again and again in one warehouse."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.audit = folder / "audit"
        self.policy = load()

    def grow(self, *sessions: Session) -> "Log":
        write_log(self.audit, rows_of(sessions))
        return self

    def grow_busy_weeks(self, **fields) -> "Log":
        return self.grow(*busy_weeks(**fields))

    def notifying(self, **channels) -> "Log":
        """By a policy that tells these channels."""
        file = self.folder / "policy.toml"
        lines = [f"{name} = {json.dumps(value)}" for name, value in channels.items()]
        file.write_text("\n".join(["[notify]", *lines]), encoding="utf-8")
        self.policy = load(file)
        assert self.policy.notify != Channels()
        return self

    def judged(self, as_of: datetime = NIGHT, **options) -> Evaluation:
        request = Request((self.audit,), self.policy, as_of, **options)
        with evaluation.opened_warehouse(self.folder / "w.duckdb") as opened:
            evaluation.load_audit_logs(request, opened)
            evaluation.load_transcripts(request, opened)
            evaluation.build_models(request, opened)
            return evaluation.judge(request, {}, opened)

    def news(self, as_of: datetime = NIGHT, **options) -> list[News]:
        """Judge, report, tell; returns what was news."""
        outcome = self.judged(as_of, **options)
        return list(
            follow_up.tell_news(outcome, verdict_report.write(outcome, self.folder / "reports"))
        )

    def events(self, as_of: datetime = NIGHT, **options) -> list[str]:
        """The last words of the news' events."""
        return [one.event.rpartition(".")[2] for one in self.news(as_of, **options)]
