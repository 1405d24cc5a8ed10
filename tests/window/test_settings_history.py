"""A change of window that is on record: in versions of settings, in commands, in sessions."""

import json

import pytest

from compact_guard.agents.claude_code import settings
from compact_guard.window import study, study_report, study_text
from compact_guard.window.study import Request
from tests.window import histories
from tests.window.homes import CodexHome, Home, on_record
from tests.window.studies import studied

SHRUNK = [160_000] * 24 + [80_000] * 24  # the first six days, then six more


@pytest.fixture
def codex(home, tmp_path):
    return CodexHome(tmp_path / "codex")


def change_of(home, **options):
    return studied(home.transcripts, **options)["change"]


def test_a_committed_setting_tells_when(home):
    home.sessions([160_000]).saved(1, autoCompactWindow=193_000).committed(1)
    home.saved(6, autoCompactWindow=113_000).committed(6.1)

    assert on_record(home) == [(6.1, None, 160_000, 80_000)]


def test_the_study_takes_the_committed_one(home):
    home.sessions(SHRUNK).saved(1, autoCompactWindow=193_000).committed(1)
    home.saved(5.9, autoCompactWindow=113_000).committed(5.95)

    study = studied(home.transcripts)

    change = study["change"]
    assert (study["verdict"], change["source"]) == ("KEEP", "settings")
    assert change["at"] == "2026-11-06T22:48:00Z"
    assert change["settings"]["before"] == "autoCompactWindow = 193000"
    assert change["settings"]["after"] == "autoCompactWindow = 113000"
    assert change["settings"]["evidence"].startswith("commit ")
    assert change["notes"] == []


def test_a_copy_and_the_file_tell_between_which_moments_and_compactions_when(home):
    home.sessions(SHRUNK).saved(1, autoCompactWindow=193_000).copied(".bak")
    home.saved(8, autoCompactWindow=113_000)

    change = change_of(home)

    assert on_record(home) == [(8, 1, 160_000, 80_000)]
    assert (change["source"], change["at"][:10]) == ("settings", "2026-11-07")
    assert change["notes"] == [
        "the settings changed between 2026-11-02 00:00 and 2026-11-09 00:00 UTC; when, "
        "compactions show"
    ]


def test_sessions_between_two_known_windows_are_set_apart(home):
    home.sessions([160_000] * 12, turns=6).saved(1.1, autoCompactWindow=193_000)
    home.copied(".2026-11-02").saved(2.1, autoCompactWindow=113_000)

    change = change_of(home)

    assert change["at"] == "2026-11-03T02:24:00Z"
    assert change["set_apart"] == {"started when either window may have been set": 4}


def test_a_typed_command_tells_to_the_second_what_the_file_only_brackets(home):
    home.sessions([160_000]).saved(1).copied("~").typed(3, "/autocompact 200k")
    home.typed(4.5, "/autocompact 113000").typed(4.6, "/autocompact").typed(4.7, "hello")
    home.saved(4.5, modelSettings={"claude-opus-5-5": {"autoCompactWindow": 113_000}})

    assert on_record(home) == [(3, None, None, 167_000), (4.5, None, None, 80_000)]


def test_our_own_backups_are_versions_too(home, tmp_path):
    from compact_guard import data_home

    home.sessions([160_000]).saved(3, autoCompactWindow=113_000)
    key = data_home.key_of("claude-code", home.file.resolve())
    kept = data_home.backup_path(key, home.file, home.moment(2))
    data_home.keep_backup(kept, b'{"autoCompactWindow": 193000}')

    assert on_record(home) == [(3, 2, 160_000, 80_000)]


def test_a_projects_settings_concern_its_own_sessions(home, tmp_path):
    project = tmp_path / "herons"
    home.sessions(SHRUNK, cwd=str(project))
    for number in range(4):
        histories.session(home.transcripts / "q", 20 + number * 4, 160_000, name=f"other{number}")
    project_home = Home(project / "elsewhere")
    file = project / ".claude" / "settings.json"
    project_home.written(file.with_suffix(".json.old"), 5, '{"autoCompactWindow": 193000}')
    project_home.written(file, 6, '{"autoCompactWindow": 113000}')

    change = change_of(home)

    assert (change["source"], change["settings"]["file"]) == ("settings", str(file))
    assert change["set_apart"] == {"another project": 4}


def test_what_an_administrator_settles_concerns_every_session(home, tmp_path, monkeypatch):
    managed = tmp_path / "managed" / "managed-settings.json"
    monkeypatch.setattr(settings, "managed_files", lambda: [managed, tmp_path / "missing.json"])
    home.sessions([160_000])
    home.written(managed.with_name(managed.name + ".bak"), 2, '{"autoCompactWindow": 193000}')
    home.written(managed, 5, '{"autoCompactWindow": 113000}')

    assert on_record(home) == [(5, 2, 160_000, 80_000)]


def test_a_models_own_setting_concerns_that_model(home):
    home.sessions(SHRUNK).saved(5, modelSettings={"claude-haiku-4-5": {"autoCompactWindow": 4e5}})
    home.copied(".bak").saved(9, model="mine")

    change = change_of(home)

    assert change["source"] == "observed"  # no session of that model
    assert on_record(home) == [(9, 5, 367_000, None)]


def test_a_given_time_counts_more_than_settings_and_settings_more_than_what_is_seen(home):
    home.sessions(SHRUNK)
    assert change_of(home)["source"] == "observed"

    home.typed(7, "/autocompact 113k")
    assert change_of(home)["source"] == "settings"
    given = change_of(home, change=home.moment(2))
    assert (given["source"], given["at"]) == ("given", "2026-11-03T00:00:00Z")


def test_settings_and_compactions_that_disagree_say_so(home):
    home.sessions(SHRUNK).typed(2, "/autocompact 193k").typed(3, "/autocompact 150k")

    time, size = change_of(home)["notes"]

    assert time.startswith("compactions disagree: they begin elsewhere from 2026-11-07 00:")
    assert time.endswith("12 sessions later")
    assert size == (
        "after the change compactions disagree with /autocompact 150k: "
        "they began at 80,000 tokens, 117,000 were to be expected"
    )


def test_settings_without_a_shift_of_compactions_say_so(home):
    home.sessions([160_000] * 30).typed(4, "/autocompact 150k")

    assert "compactions show no clear shift of where they begin" in change_of(home)["notes"]


def test_settings_of_this_home_say_nothing_of_transcripts_from_elsewhere(home, tmp_path):
    elsewhere = Home(tmp_path / "elsewhere").sessions(SHRUNK[:30])
    home.typed(4, "/autocompact 150k").saved(1, autoCompactWindow=193_000).copied(".bak")
    home.saved(2, autoCompactWindow=113_000)

    assert change_of(elsewhere)["source"] != "settings"
    named = change_of(elsewhere, settings=(home.file,))
    assert (named["source"], named["settings"]["file"]) == ("settings", str(home.file))


@pytest.mark.parametrize("torn", ['{"autoCompactWindow": 1', "\0\0", "[]"])
def test_a_version_that_cannot_be_read_is_passed_over(home, torn):
    home.sessions([160_000]).written(home.file.with_name("settings.json.bak"), 2, torn)
    home.saved(1, autoCompactWindow=193_000).copied(".1").saved(3, autoCompactWindow=113_000)

    assert on_record(home) == [(3, 1, 160_000, 80_000)]


@pytest.mark.parametrize("suffix", [".example", ".tmpl", ".schema.json"])
def test_what_was_never_in_force_is_no_version(home, suffix):
    home.sessions([160_000]).saved(1, autoCompactWindow=193_000).copied(suffix)
    home.saved(3, autoCompactWindow=113_000)

    assert on_record(home) == []


def test_what_was_set_and_where_they_disagree_is_reported(home):
    home.sessions(SHRUNK).typed(2, "/autocompact 193k").typed(3, "/autocompact 150k")
    answer = study.answer(Request((home.transcripts,)))

    report = study_report.render(json.loads(answer), histories.START.date(), {})
    screen = study_text.summary(answer)

    told = "as settings tell; compactions began at 160,000 tokens before and at 80,000 after it"
    assert told in report
    assert "- before: /autocompact 193k; after: /autocompact 150k (typed: /autocompact 150k)" in (
        report
    )
    assert "  /autocompact 193k became /autocompact 150k\n" in screen
    for text in (report, screen):
        assert text.count("compactions disagree") == 2


def test_a_deleted_file_is_a_change_to_nothing(home):
    home.sessions([160_000]).saved(1, autoCompactWindow=193_000).committed(1)
    home.file.unlink()
    home.committed(5)

    assert on_record(home) == [(5, None, 160_000, None)]


@pytest.mark.parametrize("cwd", ["/\0", "/" + "h" * 5_000, "~", "//server/share", ""])
def test_a_project_that_can_be_no_folder_costs_nothing(home, cwd):
    home.sessions([160_000], cwd=cwd).saved(1, autoCompactWindow=193_000).copied(".bak")
    home.saved(3, autoCompactWindow=113_000)

    assert on_record(home) == [(3, 1, 160_000, 80_000)]


def test_settings_behind_a_link_have_the_history_of_where_it_leads(home, tmp_path):
    dotfiles = Home(tmp_path / "dotfiles").saved(1, autoCompactWindow=193_000).committed(1)
    dotfiles.saved(5, autoCompactWindow=113_000).committed(5)
    home.sessions([160_000]).file.symlink_to(dotfiles.file)

    assert on_record(home) == [(5, None, 160_000, 80_000)]


def test_a_link_that_leads_nowhere_tells_nothing(home):
    home.sessions([160_000]).file.symlink_to(home.file)

    assert on_record(home) == []


def test_without_git_the_files_are_left(home, monkeypatch):
    home.sessions([160_000]).saved(1, autoCompactWindow=193_000).committed(1)
    home.copied(".bak").saved(3, autoCompactWindow=113_000).committed(2.9)
    monkeypatch.setenv("PATH", "")

    assert on_record(home) == [(3, 1, 160_000, 80_000)]


def test_codex_settings_and_sessions_tell(codex):
    codex.rollouts([100_000] * 8, [258_400] * 4 + [190_000] * 4)
    codex.written(codex.file, 1, "model_auto_compact_token_limit = 200000\n").copied(".bak")
    codex.written(codex.file, 9, "model_auto_compact_token_limit = 90_000\n")

    assert on_record(codex) == [(1, 0.75, None, None), (9, 1, 200_000, 90_000)]


def test_versions_that_record_the_size_otherwise_are_no_change(codex):
    codex.rollouts([100_000] * 6, [272_000] * 3 + [258_400] * 3)

    assert on_record(codex) == []


def test_one_session_with_a_window_of_its_own_is_no_change(codex):
    codex.rollouts([100_000] * 5, [258_400, 258_400, 90_000, 258_400, 258_400])

    assert on_record(codex) == []


def test_a_change_of_codex_is_found_blind_and_judged(codex):
    codex.rollouts([150_000] * 24 + [75_000] * 24)

    study = studied(codex.transcripts)

    change = study["change"]
    assert (change["source"], change["agent"], change["at"][:10]) == (
        "observed",
        "codex",
        "2026-11-07",
    )
    assert change["window_before"] == pytest.approx(150_000, abs=5_000)
    assert change["window_after"] == pytest.approx(75_000, abs=5_000)
    assert study["verdict"] == "KEEP"
    assert {boundary["trigger"] for boundary in study["boundaries"]} == {None}
    assert {boundary["seconds"] for boundary in study["boundaries"]} == {None}


def test_whose_home_it_is_belongs_to_the_answer(home, tmp_path, monkeypatch):
    home.sessions(SHRUNK[20:30]).typed(1.1, "/autocompact 113k")
    request = Request((home.transcripts,), cache=tmp_path / "cache" / "scans.sqlite3")
    assert b'"source": "settings"' in study.answer(request)

    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(Home(tmp_path / "elsewhere").folder))

    assert b'"source": "settings"' not in study.answer(request)


def test_an_answer_is_kept_until_settings_change(home, tmp_path, monkeypatch):
    home.sessions(SHRUNK[20:30]).saved(1, autoCompactWindow=193_000)
    request = Request((home.transcripts,), cache=tmp_path / "cache" / "scans.sqlite3")
    first = study.answer(request)

    with monkeypatch.context() as context:
        context.setattr(study, "built", None)
        assert study.answer(request) == first
    home.typed(1.1, "/autocompact 113k").copied(".bak").saved(1.2, autoCompactWindow=113_000)

    assert b'"source": "settings"' in study.answer(request)
