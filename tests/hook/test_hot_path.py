"""What the hot path may cost and touch: imports, bytes read, files written, its fingerprint."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import compact_guard
from compact_guard.agents.claude_code import hook
from compact_guard.agents.codex import hook as codex_hook
from compact_guard.hook import audit, conversation, identity, run
from compact_guard.hook import transcript as transcript_module
from compact_guard.hook.limits import VERSION
from tests.hook.conftest import HOOK, NAMES, PYTHON, payload_of
from tests.hook.transcripts import Transcript

ROOT = HOOK.parents[2]
ADAPTERS = (hook, codex_hook)
# What `python -I -S -c "import gc, json, select, signal, fcntl, bisect"` brings, and nothing else.
ALLOWED = {
    "json", "json.decoder", "json.scanner", "json.encoder", "_json", "re", "re._constants",
    "re._parser", "re._casefix", "re._compiler", "_sre", "enum", "types", "operator", "_operator",
    "collections", "_collections", "_collections_abc", "itertools", "keyword", "reprlib",
    "functools", "_functools", "copyreg", "math", "select", "signal", "fcntl", "bisect", "_bisect",
    "os", "stat", "_stat", "posixpath", "genericpath", "errno", "time", "gc",
    "_sha2", "_sha256", "encodings.utf_8_sig", "encodings.utf_16_le", "codecs",
}  # fmt: skip


def imported_by(command: list[str], guard, payload: bytes) -> set[str]:
    answer = subprocess.run(
        command, input=payload, capture_output=True, env=guard.environment(), check=True
    )
    return set(re.findall(rb"\|\s+(\S+)\n", answer.stderr))


@pytest.mark.parametrize("event", NAMES)
def test_hooks_import_the_allowed_modules_and_no_others(guard, conversation, event):
    guard.pre_compact(conversation.path)
    payload = json.dumps(payload_of(event, conversation.path)).encode()
    python = [PYTHON, "-I", "-S", "-X", "importtime"]

    bare = imported_by([*python, "-c", "pass"], guard, b"")
    hot = imported_by([*python, str(HOOK), "claude-code", event], guard, payload)

    extra = {name.decode() for name in hot - bare}
    assert extra - ALLOWED == {name for name in extra if name.startswith("compact_guard")}
    assert not {name for name in extra if name.startswith("compact_guard.commands")}


def test_the_hot_path_imports_only_itself_and_one_adapter():
    agents = [file for name in ADAPTERS for file in Path(name.FILE).parent.glob("hook*.py")]
    for file in [*HOOK.parent.glob("*.py"), *agents]:
        arrows = re.findall(
            r"^\s*(?:from|import) (compact_guard\S*)", file.read_text("utf-8"), re.M
        )
        own = f"compact_guard.agents.{file.parent.name}"
        is_registry = file.name == "run.py"
        allowed = ("compact_guard.hook", "compact_guard.agents" if is_registry else own)
        checked_only = {"compact_guard.agents.contract"}
        assert all(arrow.startswith(allowed) for arrow in set(arrows) - checked_only), file.name


def test_no_vendor_word_stands_in_the_core():
    words = ("hook_event_name", "compact_boundary", "isSidechain", "hookSpecificOutput", "promptId",
             "custom_instructions", "compact_summary", "toolUseResult", "CLAUDE")  # fmt: skip
    for file in HOOK.parent.glob("*.py"):
        text = file.read_text("utf-8")
        assert [word for word in words if word in text] == [], file.name


def bytes_read_by(adapter, home, transcript, monkeypatch) -> int:
    total = 0
    real = os.pread

    def counted(file, length, offset):
        nonlocal total
        piece = real(file, length, offset)
        total += len(piece)
        return piece

    with monkeypatch.context() as patched:
        patched.setattr(transcript_module.os, "pread", counted)
        patched.setenv("COMPACT_GUARD_HOME", str(home))
        payload = payload_of("pre_compact", transcript.path, session_id=transcript.session_id)
        patched.setattr(run, "_payload", lambda: payload)
        run._run(adapter, "pre_compact")
    return total


def test_after_the_first_time_only_what_is_new_is_read(tmp_path, monkeypatch):
    read_again = []
    for size in (2 << 20, 12 << 20):
        transcript = Transcript(tmp_path / f"{size}.jsonl", session_id=str(size)).grown_to(size)
        assert bytes_read_by(hook, tmp_path / "home", transcript, monkeypatch) < 3 * size
        transcript.typed("one more")
        read_again.append(bytes_read_by(hook, tmp_path / "home", transcript, monkeypatch))

    assert max(read_again) < 2 << 20


def test_the_first_time_reads_a_bounded_stretch(tmp_path, monkeypatch):
    monkeypatch.setattr(conversation, "STRETCH_BYTES_MAX", 1 << 20)
    read_bytes = []
    for size in (4 << 20, 12 << 20):
        transcript = Transcript(tmp_path / f"{size}.jsonl", session_id=str(size)).grown_to(size)
        read_bytes.append(bytes_read_by(hook, tmp_path / "home", transcript, monkeypatch))

    assert read_bytes[1] < read_bytes[0] * 1.5


def test_nothing_is_written_outside_our_own_folder(guard, tmp_path, conversation):
    before = snapshot(tmp_path, guard.home)
    for event in NAMES:
        guard.run(event, payload_of(event, conversation.path), cwd=tmp_path)

    assert snapshot(tmp_path, guard.home) == before
    assert {file.parts[len(guard.home.parts)] for file in guard.home.rglob("*")} == {
        "audit",
        "checkpoints",
    }


def snapshot(folder: Path, without: Path) -> dict:
    return {
        file: (file.stat().st_mtime_ns, file.stat().st_size)
        for file in folder.rglob("*")
        if without not in [file, *file.parents] and file.is_file()
    }


def test_the_fingerprint_is_the_same_wherever_the_code_lies(guard, tmp_path, conversation):
    copy = tmp_path / "elsewhere"
    shutil.copytree(
        Path(compact_guard.__file__).parent,
        copy / "compact_guard",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    payload = payload_of("pre_compact", conversation.path)
    guard.run("pre_compact", payload)
    here = guard.last()["guard_fingerprint"]

    entry = str(copy / "compact_guard" / "hook" / "__main__.py")

    def fingerprint() -> str:
        subprocess.run(
            [PYTHON, "-I", "-S", entry, "claude-code", "pre_compact"],
            input=json.dumps(payload).encode(),
            env=guard.environment(),
            check=True,
        )
        return guard.last()["guard_fingerprint"]

    assert fingerprint() == here
    with (copy / "compact_guard/hook/injection.py").open("a") as file:
        file.write("# changed\n")
    assert fingerprint() != here


def test_behaviour_settings_change_the_fingerprint_and_the_host_does_not(guard, conversation):
    fingerprints = []
    for config in (
        {},
        {"host": "0123456789abcdef"},
        {"host": "fedcba9876543210", "behaviour": {}},
        {"behaviour": {"preserve": True}},
    ):
        guard.home.mkdir(exist_ok=True)
        (guard.home / "config.json").write_text(json.dumps(config))
        guard.pre_compact(conversation.path)
        assert guard.last().get("host") == config.get("host")
        fingerprints.append(guard.last()["guard_fingerprint"])

    assert fingerprints[0] == fingerprints[1] == fingerprints[2] != fingerprints[3]


@pytest.mark.parametrize("config", [b"", b"[]", b"{", b'{"host":5}', b'{"host":"UPPER"}', b"\xff"])
def test_a_broken_config_costs_no_row(guard, conversation, config):
    guard.home.mkdir()
    (guard.home / "config.json").write_bytes(config)
    guard.pre_compact(conversation.path)

    assert "host" not in guard.last()


def test_the_version_is_the_packages():
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    assert f'version = "{VERSION}"' in project


def test_a_row_has_every_field_of_the_contract(guard, conversation):
    from tests.hook.conftest import SCHEMA

    guard.pre_compact(conversation.path)

    assert set(guard.last()) == set(SCHEMA["properties"]) - {"host"}


def test_a_torn_row_does_not_take_the_next_one_with_it(guard, conversation):
    guard.pre_compact(conversation.path)
    (log,) = (guard.home / "audit").iterdir()
    log.write_bytes(log.read_bytes()[:-30])
    guard.pre_compact(conversation.typed("Never use floats.").path)

    lines = log.read_bytes().splitlines()
    assert len(lines) == 2
    assert json.loads(lines[1])["outcome"] == "saved"


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("claude-opus-5-5", "claude-opus-5-5"),
        ("claude-opus-5-5[1m]", "claude-opus-5-5[1m]"),
        ("arn:aws:bedrock:eu-west-1:123456789012:model/x", None),
        ("-x", None),
        ("", None),
        (None, None),
        ("x" * 65, None),
    ],
)
def test_only_public_model_names_are_stored(value, kept):
    assert audit.model_or_none(value) == kept


def test_ids_are_salted_with_the_agent():
    assert identity.session_hash("claude-code", "s1") != identity.session_hash("codex", "s1")
    assert len(identity.turn_hash("claude-code", "\ud83d")) == 64
