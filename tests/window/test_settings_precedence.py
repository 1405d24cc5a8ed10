"""Of two settings files that say something else, the one that Claude Code hears counts."""

import json

import pytest

from compact_guard.agents.claude_code import settings
from compact_guard.window import study
from compact_guard.window.study import Request
from tests.window.homes import on_record

SHRUNK = [160_000] * 24 + [80_000] * 24  # the first six days, then six more


@pytest.fixture
def managed(tmp_path, monkeypatch):
    """Two files that an administrator may write; the second one counts more."""
    files = [tmp_path / "managed" / name for name in ("managed-settings.json", "d/20.json")]
    monkeypatch.setattr(settings, "managed_files", lambda: files)
    return files


def test_what_an_administrator_had_settled_is_not_changed_by_a_users_file(home, managed):
    home.sessions([160_000]).written(managed[0], 1, '{"autoCompactWindow": 300000}')
    home.saved(2, autoCompactWindow=193_000).copied(".bak").saved(5, autoCompactWindow=113_000)

    assert on_record(home) == []


def test_before_it_was_settled_the_users_file_counted(home, managed):
    home.sessions([160_000]).written(managed[0], 7, '{"autoCompactWindow": 300000}')
    home.saved(2, autoCompactWindow=193_000).copied(".bak").saved(5, autoCompactWindow=113_000)

    assert on_record(home) == [(5, 2, 160_000, 80_000)]


def test_an_answer_is_given_anew_once_something_is_settled(home, managed, tmp_path):
    home.sessions(SHRUNK).typed(2, "/autocompact 193k").typed(6, "/autocompact 113k")
    request = Request((home.transcripts,), cache=tmp_path / "cache.sqlite3")
    before = study.answer(request)

    variable = {"env": {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "300000"}}
    home.written(managed[0], 1, json.dumps(variable))
    after = study.answer(request)

    sources = [json.loads(answer)["change"]["source"] for answer in (before, after)]
    assert sources == ["settings", "observed"]


def test_of_two_managed_files_the_later_name_counts_more(home, managed):
    home.sessions([160_000]).written(managed[1], 1, '{"autoCompactWindow": 300000}')
    home.written(managed[0].with_name(managed[0].name + ".bak"), 2, '{"autoCompactWindow": 193000}')
    home.written(managed[0], 5, '{"autoCompactWindow": 113000}')

    assert on_record(home) == []


def test_key_by_key_a_users_variable_counts_more_than_a_managed_size(home, managed):
    """The variable goes before the size, wherever both stand."""
    home.sessions([160_000]).written(managed[0], 1, '{"autoCompactWindow": 300000}')
    size = {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "193000"}
    home.saved(2, env=size).copied(".bak")
    home.saved(5, env=size | {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "113000"})

    assert on_record(home) == [(5, 2, 160_000, 80_000)]


def test_a_managed_variable_makes_typed_windows_void(home, managed):
    variable = {"env": {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "300000"}}
    home.sessions([160_000]).typed(1, "/autocompact 193k").typed(5, "/autocompact 113k")
    home.written(managed[0], 3, json.dumps(variable))

    assert on_record(home) == [(1, None, None, 160_000)]


def test_a_projects_own_window_is_not_changed_by_the_one_it_shares(home, tmp_path):
    project = tmp_path / "herons"
    home.sessions([160_000], cwd=str(project))
    shared = project / ".claude" / "settings.json"
    home.written(shared.with_name("settings.local.json"), 1, '{"autoCompactWindow": 300000}')
    home.written(shared.with_suffix(".json.old"), 2, '{"autoCompactWindow": 193000}')
    home.written(shared, 5, '{"autoCompactWindow": 113000}')

    assert on_record(home) == []


def test_before_a_projects_first_window_the_users_one_counted(home, tmp_path):
    project = tmp_path / "herons"
    home.sessions([160_000], cwd=str(project)).saved(1, autoCompactWindow=193_000)
    shared = project / ".claude" / "settings.json"
    home.written(shared.with_suffix(".json.old"), 2, '{"model": "mine"}')
    home.written(shared, 5, '{"autoCompactWindow": 113000}')

    assert on_record(home) == [(5, 2, 160_000, 80_000)]
