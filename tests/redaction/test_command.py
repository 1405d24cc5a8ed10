"""`compact-guard redact` as people and scripts use it: stdin to stdout."""

import json
import os
import subprocess
import sys

import pytest

from compact_guard.commands import redact
from compact_guard.hook import redaction

SECRET = "A7b9C3d1E5f2G8h4J6k0"


def filtered(content: bytes, *options: str, home=None) -> subprocess.CompletedProcess:
    environment = {**os.environ, "COMPACT_GUARD_HOME": str(home or "/nonexistent")}
    command = [sys.executable, "-m", "compact_guard", "redact", *options]
    return subprocess.run(command, input=content, capture_output=True, env=environment, check=False)


def test_text_comes_out_as_it_was_but_for_its_secrets():
    before = b"caf\xc3\xa9 \xff\xfe \xed\xa0\xbd\r\nTOKEN=" + SECRET.encode() + b"\nno end"
    done = filtered(before)

    assert done.returncode == 0
    assert done.stdout == before.replace(SECRET.encode(), b"[redacted:token]")
    assert done.stderr == b""


@pytest.mark.parametrize("content", [b"", b"\n", b"plain\n", b"\x00\x1a\xff"])
def test_harmless_bytes_come_out_as_they_went_in(content):
    assert filtered(content).stdout == content


def test_messages_keep_their_id_their_other_keys_and_half_characters():
    lines = [
        {"id": 1, "text": f"token={SECRET}", "role": "user", "n": [1, None]},
        {"id": "b", "text": "\ud83d 密码是 Violet7609mango，登录"},
    ]
    content = "".join(json.dumps(line) + "\n" for line in lines)
    done = filtered(f"{content}\n".encode(), "--jsonl")

    first, second = map(json.loads, done.stdout.splitlines())
    assert first == lines[0] | {"text": "token=[redacted:token]"}
    assert second == {"id": "b", "text": "\ud83d 密码是 [redacted:password]，登录"}


@pytest.mark.parametrize(
    "bad",
    [b"{", b"[]", b'{"id":1}', b'{"id":1,"text":5}', b"[" * 100_000, SECRET.encode()],
)
def test_a_bad_line_is_named_and_not_shown(bad):
    done = filtered(b'{"id":1,"text":"good"}\n' + bad + b"\n", "--jsonl")

    assert done.returncode == 2
    assert b"line 2" in done.stderr
    assert SECRET.encode() not in done.stdout + done.stderr
    assert json.loads(done.stdout) == {"id": 1, "text": "good"}


def test_a_message_that_cannot_be_redacted_is_not_shown(monkeypatch, capsysbinary):
    real = redaction.find_spans

    def failing(text, present):
        if SECRET in text:
            raise RecursionError(text)
        return real(text, present)

    monkeypatch.setattr(redaction, "find_spans", failing)
    monkeypatch.setattr("sys.stdin", Stdin(f'{{"text":"{SECRET}"}}\n{{"text":"good"}}\n'.encode()))

    status = redact.run(Arguments(jsonl=True))
    shown = capsysbinary.readouterr()
    assert status == 1
    assert shown.out == b'{"text": "[redacted:failed]"}\n{"text": "good"}\n'
    assert shown.err.startswith(b"compact-guard: 1 could not be redacted")


class Stdin:
    """As much of a standard input as the command uses."""

    def __init__(self, content: bytes) -> None:
        self.buffer = content.splitlines(keepends=True)


class Arguments:
    """What the parser would give."""

    def __init__(self, jsonl: bool) -> None:
        self.jsonl, self.hooks_use_library = jsonl, None


def test_each_message_is_answered_before_the_next_is_read():
    command = [sys.executable, "-m", "compact_guard", "redact", "--jsonl"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        for number in range(3):
            process.stdin.write(b'{"id":%d,"text":"x"}\n' % number)
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == number
        process.stdin.close()


def test_a_private_key_is_not_cut_in_two_by_a_block(monkeypatch):
    key = (
        b"-----BEGIN RSA PRIVATE KEY-----\n"
        + b"MIIEa7b9C3d1E5f2\n" * 9
        + b"-----END RSA PRIVATE KEY-----\n"
    )
    monkeypatch.setattr(redact, "_BLOCK_BYTES", 200)
    lines = (b"x" * 60 + b"\n") * 3 + key + b"end\n"

    blocks = list(redact._blocks(lines.splitlines(keepends=True)))
    assert b"".join(blocks) == lines
    assert any(key in block for block in blocks)


def test_the_hooks_setting_is_written_and_taken_back(tmp_path):
    home = tmp_path / "home"
    on = filtered(b"", "--hooks-use-library", "on", home=home)
    config = json.loads((home / "config.json").read_text())
    off = filtered(b"", "--hooks-use-library", "off", home=home)

    assert (on.returncode, off.returncode) == (0, 0)
    assert config["behaviour"] == {"redaction_library": "redact-secret==0.1.0b15"}
    after = json.loads((home / "config.json").read_text())
    assert after["host"] == config["host"]
    assert after["behaviour"] == {}
    assert "redaction_library_folder" not in after


def test_a_damaged_config_is_not_overwritten(tmp_path):
    (tmp_path / "config.json").write_text("{")
    done = filtered(b"", "--hooks-use-library", "on", home=tmp_path)

    assert done.returncode == 2
    assert b"config.json" in done.stderr
    assert (tmp_path / "config.json").read_text() == "{"
