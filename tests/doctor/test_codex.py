"""What doctor finds about Codex, without a Codex to ask; tests/agents/codex asks the real one."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from tests.doctor.conftest import Doctor
from tests.transcripts.stories import CodexStory


@pytest.fixture
def codex(doctor) -> Doctor:
    doctor.settings = doctor.home / ".codex" / "hooks.json"
    doctor.install("codex")
    return doctor


def approve_all(codex: Doctor, **record: object) -> None:
    """As Codex's own review writes it; without Codex, any hash passes."""
    lines = []
    for event in ("pre_compact", "session_start", "post_compact"):
        lines.append(f"[hooks.state.{json.dumps(f'{codex.settings.resolve()}:{event}:0:0')}]")
        lines += [f"{key} = {json.dumps(value)}" for key, value in record.items()]
    codex.settings.with_name("config.toml").write_text("\n".join([*lines, ""]))


def test_hooks_that_nobody_approved(codex):
    finding = codex.findings("codex")["approval"]
    assert "not approved" in finding["problem"]
    assert "--trust" in finding["mend"]


def test_approved_hooks_are_well(codex):
    approve_all(codex, trusted_hash="sha256:00")
    assert set(codex.findings("codex")) == {"activity"}


def test_hooks_that_are_switched_off_one_by_one(codex):
    approve_all(codex, trusted_hash="sha256:00", enabled=False)
    assert "switched off" in codex.findings("codex")["approval"]["problem"]


def test_hooks_that_are_switched_off_at_all(codex):
    codex.settings.with_name("config.toml").write_text("[features]\nhooks = false\n")
    assert "features.hooks" in codex.findings("codex")["switched_off"]["problem"]


def test_a_config_that_is_no_toml(codex):
    codex.settings.with_name("config.toml").write_text("model =\n")
    assert "not valid TOML" in codex.findings("codex")["settings"]["problem"]


@pytest.mark.parametrize("matcher", ["startup", "compact"])
def test_a_matcher_without_compact_or_resume(codex, matcher):
    codex.edit_entry("SessionStart", matcher=matcher)
    assert "resume" in codex.findings("codex")["matcher"]["problem"]


def test_a_boundary_in_a_rollout_without_a_row(codex):
    folder = codex.home / ".codex" / "sessions" / "2026" / "11" / "30"
    for name, thread in (("t1", "user"), ("t2", "subagent")):
        story = CodexStory(folder / f"rollout-{name}.jsonl", id=name, thread_source=thread)
        later = datetime.now(UTC) + timedelta(seconds=2)
        story.row({"timestamp": later.isoformat(), "type": "compacted", "payload": {}})

    assert "installation: 1," in codex.findings("codex")["never_fired"]["problem"]
