"""Whatever arrives: exit status 0, nothing unintended printed, one valid row."""

import concurrent.futures
import errno
import json
import os
import random
import resource
import subprocess
from collections import Counter

import pytest

from compact_guard.hook import deadline, run
from tests.hook.conftest import HOOK, NAMES, PYTHON, payload_of

EVENTS = tuple(NAMES)
NASTY = (
    None, True, 0, -1, 1e308, "", " ", "\0", "\ud83d", "../../etc", "\u2699\ufe0f", "x" * 70_000,
    [], [[]], {}, {"a": [1]}, "compact", "auto", "s1", "/dev/zero", "/proc/self/mem",
)  # fmt: skip


def fuzzed_payloads(count: int, seed: int) -> list[tuple[str, bytes]]:
    chance = random.Random(seed)
    fields = ("session_id", "transcript_path", "trigger", "source", "prompt_id", "agent_id",
              "model", "custom_instructions", "compact_summary", "hook_event_name")  # fmt: skip
    cases = []
    for _ in range(count):
        event = chance.choice(EVENTS)
        payload = payload_of(event, "/nowhere/s1.jsonl")
        for field in chance.sample(fields, k=chance.randrange(4)):
            payload[field] = chance.choice(NASTY)
        raw = bytearray(json.dumps(payload).encode())
        if chance.random() < 0.3:
            raw[chance.randrange(len(raw))] = chance.randrange(256)
        if chance.random() < 0.1:
            raw = raw[: chance.randrange(len(raw))]
        cases.append((event, bytes(raw)))
    return cases


def test_two_hundred_fuzzed_payloads_end_well(guard):
    cases = fuzzed_payloads(200, seed=20261130)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda case: guard.run(*case), cases))

    assert {(a.returncode, a.stdout, a.stderr) for a in answers} == {(0, b"", b"")}
    assert len(guard.rows()) >= 150  # the rest are starts that are no compaction


@pytest.mark.parametrize(
    "raw",
    [b"", b"{", b"null", b"[]", b"\xff\xfe\x00", b"{}", b"[" * 100_000, b'{"session_id":1}'],
)
@pytest.mark.parametrize("event", EVENTS)
def test_a_payload_that_is_none_pairs_with_nothing(guard, event, raw):
    answers = [guard.run(event, raw), guard.run(event, raw)]

    assert {(a.returncode, a.stdout, a.stderr) for a in answers} == {(0, b"", b"")}
    rows = guard.rows()
    assert {(row["outcome"], row["reason"]) for row in rows} == {("failed", "invalid_payload")}
    assert rows[0]["session_hash"] != rows[1]["session_hash"]


def test_a_byte_order_mark_is_accepted(guard, conversation):
    payload = json.dumps(payload_of("pre_compact", conversation.path)).encode()
    guard.run("pre_compact", b"\xef\xbb\xbf" + payload)

    assert guard.last()["outcome"] == "saved"


def test_a_huge_payload_leaves_a_small_row(guard, conversation):
    guard.pre_compact(conversation.path, prompt="x" * (5 << 20))

    assert guard.last()["outcome"] == "saved"
    assert len(json.dumps(guard.last())) < 2_000


@pytest.mark.parametrize("event", EVENTS)
def test_a_silent_open_stdin_is_not_waited_for_for_ever(guard, event):
    reading, writing = os.pipe()
    answer = guard.run(event, b"", stdin=reading)

    assert (answer.returncode, answer.stdout) == (0, b"")
    assert (guard.last()["outcome"], guard.last()["reason"]) == ("failed", "deadline")
    os.close(writing)
    os.close(reading)


def test_a_stdin_that_is_never_closed_is_no_obstacle(guard, conversation):
    reading, writing = os.pipe()
    os.write(writing, json.dumps(payload_of("post_compact", conversation.path)).encode() + b"\n")
    guard.run("post_compact", b"", stdin=reading)

    assert guard.last()["outcome"] == "recorded"
    os.close(writing)
    os.close(reading)


class OpenStdin:
    """A standard input that nobody closes, and the time that passes while it is waited for."""

    def __init__(self, content: bytes, patch: pytest.MonkeyPatch) -> None:
        self._content = content
        self.waited = 0.0
        patch.setattr(run.select, "select", self._select)
        patch.setattr(run.os, "read", self._read)
        patch.setattr(run.time, "monotonic", lambda: self.waited)

    def _select(self, reading, _writing, _failing, seconds):
        if self._content:
            return reading, [], []
        self.waited += seconds
        return [], [], []

    def _read(self, _file, size):
        piece, self._content = self._content[:size], self._content[size:]
        return piece


def test_a_silent_stdin_is_waited_for_two_seconds(monkeypatch):
    with monkeypatch.context() as patch:
        stdin = OpenStdin(b"", patch)
        with pytest.raises(deadline.Reached):
            run._payload()

    assert stdin.waited == 2


def test_a_stdin_that_is_never_closed_costs_no_time(monkeypatch):
    with monkeypatch.context() as patch:
        stdin = OpenStdin(b'{"session_id": "s1"}\n', patch)
        assert run._payload() == {"session_id": "s1"}

    assert stdin.waited == 0


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["claude-code"],
        ["claude-code", "stop"],
        ["nobody", "pre_compact"],
        ["a"] * 9,
    ],
)
def test_wrong_arguments_cost_one_line_on_stderr(guard, arguments):
    for entry in ([str(HOOK)], ["-m", "compact_guard", "hook"]):
        answer = subprocess.run(
            [PYTHON, *entry, *arguments],
            input=b"{}",
            capture_output=True,
            env=guard.environment(PYTHONPATH=str(HOOK.parents[2])),
            check=False,
        )
        assert (answer.returncode, answer.stdout) == (0, b"")
        assert answer.stderr.count(b"\n") == 1


def test_the_subcommand_runs_the_same_hook(guard, conversation):
    subprocess.run(
        [PYTHON, "-m", "compact_guard", "hook", "claude-code", "pre_compact"],
        input=json.dumps(payload_of("pre_compact", conversation.path)).encode(),
        env=guard.environment(PYTHONPATH=str(HOOK.parents[2])),
        check=True,
    )

    assert guard.last()["outcome"] == "saved"


def test_an_unwritable_home_costs_one_line_on_stderr(guard, conversation):
    guard.home.write_text("a file in the folder's place")

    for event in EVENTS:
        answer = guard.run(event, payload_of(event, conversation.path))
        assert (answer.returncode, answer.stdout) == (0, b"")
        assert answer.stderr.count(b"\n") == 1


def test_a_checkpoint_folder_that_cannot_be_made_is_a_failed_row(guard, conversation):
    guard.home.mkdir()
    (guard.home / "checkpoints").symlink_to("/dev/null")

    answer = guard.pre_compact(conversation.path)

    assert (answer.returncode, answer.stdout, answer.stderr) == (0, b"", b"")
    assert (guard.last()["outcome"], guard.last()["reason"]) == ("failed", "permissions")
    assert guard.last()["transcript_bytes"] == conversation.path.stat().st_size


def test_a_full_disk_is_a_failed_row(guard, conversation, monkeypatch):
    from compact_guard.agents.claude_code import hook
    from compact_guard.hook import storage

    def full(*_):
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(storage, "_write_new", full)
    monkeypatch.setattr(run, "_payload", lambda: payload_of("pre_compact", conversation.path))
    monkeypatch.setenv("COMPACT_GUARD_HOME", str(guard.home))
    run._run(hook, "pre_compact")

    assert (guard.last()["outcome"], guard.last()["reason"]) == ("failed", "disk_full")
    assert guard.checkpoints() == []


def become_read_only(patch) -> None:
    """As the kernel refuses it, to root too."""
    real = os.open

    def refuse(*_, **__):
        raise OSError(errno.EROFS, "read-only file system")

    def reading(path, flags, *mode, **options):
        return refuse() if flags & (os.O_WRONLY | os.O_RDWR) else real(path, flags, *mode)

    patch.setattr(os, "open", reading)
    for name in ("mkdir", "makedirs", "rename", "unlink", "utime", "chmod"):
        patch.setattr(os, name, refuse)


@pytest.mark.parametrize("event", EVENTS)
def test_a_read_only_home_costs_one_line_on_stderr(guard, conversation, monkeypatch, capfd, event):
    guard.pre_compact(conversation.path)
    before = {file: file.read_bytes() for file in guard.home.rglob("*") if file.is_file()}
    payload = payload_of(event, conversation.path)
    monkeypatch.setenv("COMPACT_GUARD_HOME", str(guard.home))
    with monkeypatch.context() as patch:
        patch.setattr(run, "_payload", lambda: payload)
        become_read_only(patch)
        assert run.main(["claude-code", event]) == 0

    printed = capfd.readouterr()
    assert printed.out == ""
    assert printed.err == "compact-guard: no audit row: OSError\n"
    assert {file: file.read_bytes() for file in before} == before
    assert guard.injected_text(conversation.path)  # once it can be written again


@pytest.mark.parametrize(
    "damage",
    [
        b"\0" * 300 + b"\n",
        b'{"type":"user","message":{"content":"\x8f\x9d"}}\n',
        b"\xef\xbb\xbf\n",
        b"\r\n\r\n",
        b'{"type":"assistant","message":{"content":[{"type":"text","text":"half of',
        b'{"type":"user","message":' + b"[" * 5_000 + b"}\n",
        b'{"type":"user","message":{"content":"\\ud83d half a character"}}\n',
        b'{"type":"user","message":17,"timestamp":{}}{"type":"assistant","message":{"content":{}}}\n',
    ],
)
def test_a_damaged_transcript_still_gives_its_other_words(guard, conversation, damage):
    conversation.raw(damage)

    answer = guard.pre_compact(conversation.path)

    assert (answer.returncode, answer.stdout, answer.stderr) == (0, b"", b"")
    assert guard.last()["outcome"] == "saved"
    assert b"never SQLite" in guard.checkpoints()[0].read_bytes()
    assert b"never SQLite" in guard.session_start(conversation.path).stdout


def test_glued_messages_are_both_kept(guard, conversation):
    lines = conversation.path.read_bytes()
    conversation.path.write_bytes(lines.replace(b"}\n", b"}", 2))

    guard.pre_compact(conversation.path)

    assert guard.last()["counts"]["messages_kept"] == 2


def test_five_gigabytes_of_holes_do_not_hold_the_agent_up(guard, conversation):
    os.truncate(conversation.path, 5 << 30)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    answer = guard.pre_compact(conversation.path)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)

    assert after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime < 3
    assert (answer.returncode, answer.stdout) == (0, b"")
    assert guard.last()["reason"] == "unreadable_transcript"


def test_twenty_hooks_at_once_write_twenty_rows(guard, conversation):
    def one(number: int):
        return guard.pre_compact(conversation.path, session_id=f"s{number % 5}", trigger="manual")

    with concurrent.futures.ThreadPoolExecutor(20) as pool:
        list(pool.map(one, range(20)))

    outcomes = [(row["outcome"], row["reason"]) for row in guard.rows()]
    assert Counter(outcomes) == {("saved", None): 5, ("skipped", "claimed_elsewhere"): 15}
    assert len(guard.checkpoints()) == 5


def test_a_bare_locale_reads_every_language(guard, transcript):
    transcript.typed("Решили: только DuckDB ⚙️").answered("明白，只用 DuckDB。")
    for locale in ("C", "POSIX", "en_US.ISO-8859-1"):
        payload = json.dumps(payload_of("pre_compact", transcript.path, session_id=locale)).encode()
        guard.run("pre_compact", payload, {"LC_ALL": locale, "PYTHONUTF8": "0"})

    assert [row["outcome"] for row in guard.rows()] == ["saved"] * 3
    assert "明白" in guard.injected_text(transcript.path, session_id="C")


def test_synthetic_runs_say_so(guard, conversation):
    payload = payload_of("pre_compact", conversation.path)
    guard.run("pre_compact", payload, {"COMPACT_GUARD_SYNTHETIC": "1"})
    guard.run("pre_compact", payload)

    assert [row["origin"] for row in guard.rows()] == ["synthetic", "natural"]
