"""The window in Codex's settings, and what its sessions record of it; on both versions."""

import pytest

from compact_guard.agents.codex import window_settings
from compact_guard.window import settings_history
from compact_guard.window.settings_history import Places
from tests.agents.codex.model_replies import COMPACT_TOKENS
from tests.agents.codex.sandbox import Sandbox

pytestmark = pytest.mark.agents


@pytest.fixture(params=["bare", "bare_older"])
def sandbox(request) -> Sandbox:
    return request.getfixturevalue(request.param)


def test_sessions_record_another_size_from_the_change_on(sandbox):
    config = sandbox.config.read_text()
    for size in (200_000, 100_000):
        sandbox.config.write_text(config.replace("200000", str(size)))
        for _ in range(2):
            assert sandbox.exec("Hello. [[plan id=A]]").returncode == 0
    rollouts = tuple(sorted(sandbox.codex_home.glob("sessions/*/*/*/rollout-*.jsonl")))

    told = window_settings.settings_in(sandbox.config.read_bytes())[None]
    history = settings_history.look(Places(rollouts), {"CODEX_HOME": str(sandbox.codex_home)})

    assert told.begins_at == COMPACT_TOKENS
    [change] = [one for one in history.changes if one.file is None]
    assert change.before.words == "model_context_window = 200000, as recorded"
    assert change.after.words == "model_context_window = 100000, as recorded"
    heads = [window_settings.head(rollout.read_bytes()) for rollout in rollouts]
    assert {head.project for head in heads} == {sandbox.project}
