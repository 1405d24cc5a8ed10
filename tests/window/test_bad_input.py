"""Bad input of every kind, through the command: what is counted for it, and the exit status."""

import json
import os

import pytest

from compact_guard.cli import main
from tests.window.stories import ClaudeStory, CodexStory, codex_usage

FOREIGN = b'{"event": "click"}\n'


AGENTS = ("claude-code", "codex")


def response(story, message_id):
    if isinstance(story, ClaudeStory):
        return json.dumps(story.response(message_id, read=9)).encode()
    usage = {"thread_id": "t1", "response_id": message_id, "usage": codex_usage(9)}
    row = {"timestamp": story.stamp(), "type": "token_usage_record", "payload": usage}
    return json.dumps(row).encode()


def one_response(agent, file):
    if agent == "codex":
        return CodexStory(file).recorded("m1", 9)
    return ClaudeStory(file).said("m1", read=9)


# What stands in the file behind one good response: its bytes, turns, and `rejected`.
KINDS = {
    "torn": (lambda story: b'{"type":"assistant","mess\n', 1, {"torn": 1}),
    "torn at the end": (lambda story: b'{"type":"assistant"', 1, {"torn": 1}),
    "glued": (lambda story: response(story, "m2") + response(story, "m3") + b"\n", 3, {}),
    "NUL": (lambda story: b"\0" * 99 + response(story, "m2") + b"\n", 2, {"nul": 1}),
    "BOM": (lambda story: b"\xef\xbb\xbf" + response(story, "m2") + b"\n", 2, {}),
    "CRLF": (lambda story: response(story, "m2") + b"\r\n\r\n", 2, {}),
    "lone surrogate": (
        lambda story: response(story, "m2").replace(b'"m2"', b'"m2", "x": "\\ud83d"') + b"\n",
        2,
        {},
    ),
    "lone surrogate in a name": (
        lambda story: response(story, "m2").replace(b'"m2"', b'"m2\\ud83d"') + b"\n",
        2,
        {},
    ),
    "another tool's lines": (lambda story: FOREIGN, 1, {}),
    "no object": (lambda story: b"42\n[]\n", 1, {"not_an_object": 2}),
}


@pytest.fixture(autouse=True)
def homes(tmp_path, monkeypatch):
    for name in ("COMPACT_GUARD_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))


def study(folder, capfdbinary):
    """The files of the answer by name, and the exit status."""
    status = main(["window", "--json", str(folder)])
    out = capfdbinary.readouterr().out
    files = json.loads(out)["files"] if out else []
    return {file["path"].rpartition("/")[2]: file for file in files}, status


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("kind", KINDS)
def test_damage_is_counted_and_the_numbers_are_given(kind, agent, tmp_path, capfdbinary):
    content, turns, rejected = KINDS[kind]
    story = one_response(agent, tmp_path / "t" / "a.jsonl")
    story.raw(content(story))

    files, status = study(tmp_path / "t", capfdbinary)

    file = files["a.jsonl"]
    assert status == 0
    assert file["agent"] == agent
    assert (file["turns"], file["rejected"]) == (turns, rejected)
    assert file["rejected_lines"] == sum(rejected.values())


@pytest.mark.parametrize(
    ("content", "reason"),
    [(b"", "no_object"), (b"\n\n", "no_object"), (b"\0" * 40, "no_object"), (FOREIGN, "foreign")],
)
def test_what_is_no_transcript_is_named_and_alone_it_is_bad_usage(
    content, reason, tmp_path, capfdbinary
):
    folder = tmp_path / "t"
    folder.mkdir()
    (folder / "other.jsonl").write_bytes(content)

    assert study(folder, capfdbinary) == ({}, 2)

    ClaudeStory(folder / "a.jsonl").said("m1")
    files, status = study(folder, capfdbinary)
    assert status == 0
    assert files["other.jsonl"]["reject_reason"] == reason


def test_a_folder_without_permission_is_counted(tmp_path, capfdbinary, monkeypatch):
    ClaudeStory(tmp_path / "t" / "a.jsonl").said("m1")
    closed = tmp_path / "t" / "closed"
    closed.mkdir(mode=0o000)
    really = os.scandir

    def listed(path="."):  # root may list everything
        if str(path) == str(closed):
            raise PermissionError(13, "Permission denied", str(path))
        return really(path)

    monkeypatch.setattr("os.scandir", listed)
    files, status = study(tmp_path / "t", capfdbinary)
    closed.chmod(0o700)

    assert status == 0
    assert files["closed"]["reject_reason"] == "no_access"
    assert files["a.jsonl"]["turns"] == 1
