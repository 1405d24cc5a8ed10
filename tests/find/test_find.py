"""`compact-guard find`: the user's words before the boundary, redacted, of the right session."""

import json
import os
import unicodedata
from pathlib import Path

import pytest

from compact_guard import cli, finding
from compact_guard.errors import UsageError
from tests.hook.transcripts import Transcript

SECRET = "sk-ant-api03-" + "Ab1" * 14


@pytest.fixture
def transcript(tmp_path) -> Transcript:
    return Transcript(tmp_path / "s1.jsonl")


def find(transcript, *words: str, limit: int = 20) -> list[str]:
    searched = finding.Session(transcript.path, "claude-code")
    return [found.text for found in finding.find(searched, list(words), limit)]


def test_all_words_must_be_there_in_any_case_and_the_newest_comes_first(transcript):
    transcript.typed("The retry limit is 3.").answered("Noted: RETRY at most 3 times, the limit.")
    transcript.typed("No limit on pages.").boundary()

    assert find(transcript, "retry", "Limit") == [
        "Noted: RETRY at most 3 times, the limit.",
        "The retry limit is 3.",
    ]


@pytest.mark.parametrize("word", ["таймаут", "ТАЙМАУТ", "超时", "client.py", '"quoted"', "é"])
def test_words_of_every_script_are_found(transcript, word):
    transcript.typed('Таймаут 超时 in src/client.py is "quoted" É.').boundary()

    assert len(find(transcript, word)) == 1


def test_what_is_still_in_the_context_is_not_searched(transcript):
    transcript.typed("old limit").boundary().typed("new limit")

    assert find(transcript, "limit") == ["old limit"]


def test_a_session_that_was_never_compacted_is_searched_whole(transcript):
    transcript.typed("only limit")

    assert find(transcript, "limit") == ["only limit"]


def test_tools_and_subagents_say_nothing(transcript):
    transcript.tool_result("limit").typed("limit", isSidechain=True)
    transcript.typed("limit", isMeta=True).boundary()

    assert find(transcript, "limit") == []


def test_secrets_are_redacted_and_cannot_be_searched_for(transcript):
    transcript.typed(f"the key is {SECRET}, keep the limit").boundary()

    (found,) = find(transcript, "limit")
    assert SECRET not in found
    assert find(transcript, SECRET[10:]) == []


def test_a_long_message_is_cut_around_the_word(transcript):
    transcript.typed("x " * 3_000 + "the limit is 3 " + "y " * 3_000).boundary()

    (found,) = find(transcript, "limit")
    assert "the limit is 3" in found
    assert len(found) < 500


def test_the_limit_counts_messages(transcript):
    for number in range(9):
        transcript.typed(f"limit {number}")

    assert find(transcript, "limit", limit=2) == ["limit 8", "limit 7"]


def in_home(tmp_path, monkeypatch, *sessions: str) -> dict[str, Transcript]:
    """Claude Code's folder with sessions of the folder `/w/p_1`, the last one written last."""
    monkeypatch.delenv("CODEX_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    monkeypatch.delenv("CLAUDE_CODE_SESSION_ID", raising=False)
    project = tmp_path / "claude" / "projects" / "-w-p-1"
    project.mkdir(parents=True)
    made = {}
    for age, name in enumerate(reversed(sessions)):
        made[name] = Transcript(project / f"{name}.jsonl", name).typed(f"limit of {name}")
        os.utime(made[name].path, (1_000_000 - age, 1_000_000 - age))
    return made


def session_found(tmp_path, session_id=None) -> str:
    return finding.session(session_id, None, tmp_path.__class__("/w/p_1"), os.environ).path.stem


def test_the_running_session_is_searched_else_the_newest_of_the_folder(tmp_path, monkeypatch):
    in_home(tmp_path, monkeypatch, "s1", "s2")

    assert session_found(tmp_path) == "s2"
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "s1")
    assert session_found(tmp_path) == "s1"
    assert session_found(tmp_path, "s2") == "s2"


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("name", ["-w-Ren--", "-w-Rene--"])
def test_a_folder_with_accents_is_found_however_they_were_spelled(
    tmp_path, monkeypatch, form, name
):
    projects = in_home(tmp_path, monkeypatch, "s1")["s1"].path.parents[1]
    (projects / "-w-p-1").rename(projects / name)
    folder = Path(unicodedata.normalize(form, "/w/René!"))

    assert finding.session(None, None, folder, os.environ).path.stem == "s1"


def test_an_emoji_in_a_folder_is_two_dashes(tmp_path, monkeypatch):
    projects = in_home(tmp_path, monkeypatch, "s1")["s1"].path.parents[1]
    (projects / "-w-p-1").rename(projects / "-w---")

    assert finding.session(None, None, Path("/w/🪶"), os.environ).path.stem == "s1"


def test_codex_sessions_are_found_by_thread_and_by_folder(tmp_path, monkeypatch):
    in_home(tmp_path, monkeypatch)
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "codex"))
    day = tmp_path / "codex" / "sessions" / "2026" / "11" / "30"
    day.mkdir(parents=True)
    for name, parent in (("t-1", None), ("t-2", "t-1")):
        payload = {"id": name, "cwd": "/w/p_1", "parent_thread_id": parent}
        line = json.dumps({"type": "session_meta", "payload": payload})
        (day / f"rollout-2026-11-30T10-00-00-{name}.jsonl").write_text(line + "\n")

    assert session_found(tmp_path).endswith("t-1")
    assert session_found(tmp_path, "t-1").endswith("t-1")


@pytest.mark.parametrize("session_id", ["nobody", "../s1", "*", ""])
def test_a_session_that_is_not_there_is_a_usage_error(tmp_path, monkeypatch, session_id):
    in_home(tmp_path, monkeypatch)

    with pytest.raises(UsageError, match="--transcript FILE"):
        session_found(tmp_path, session_id)


def test_the_command_prints_people_or_json_and_its_status_says_if_there_was_anything(
    transcript, capsys
):
    transcript.typed("limit \x1b[31m3").boundary()
    file = ["--transcript", str(transcript.path)]

    assert cli.main(["find", "limit", *file]) == 0
    assert capsys.readouterr().out == "user, 2026-11-30T00:00:01.000Z:\nlimit [31m3\n\n"
    assert cli.main(["find", "limit 3", *file, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["speaker"] == "user"
    assert cli.main(["find", "absent", *file]) == 1
    assert cli.main(["find", "limit", "--transcript", "/nowhere.jsonl"]) == 2
