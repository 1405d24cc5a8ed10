"""Laws of install and uninstall, over settings files of every make."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compact_guard.install import hook_block, planning
from tests.install.settings_sources import (
    hook_blocks,
    is_subsequence,
    our_registrations,
    settings_bytes,
)

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
AGENT = "claude-code"
WANTED = our_registrations()
UPGRADED = our_registrations("/opt/venv 2/bin/python")

# Each example has a file of its own; the shared fixture only says where our own files go.
many = settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture(autouse=True)
def file(tmp_path, monkeypatch):
    monkeypatch.setenv("COMPACT_GUARD_HOME", str(tmp_path / "data home"))
    return tmp_path / "agent" / "settings.json"


def start_with(file: Path, content: bytes | None) -> None:
    file.unlink(missing_ok=True)
    if content is not None:
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(content)


def content_of(file: Path) -> bytes | None:
    return file.read_bytes() if file.exists() else None


def do_install(file: Path, wanted=WANTED) -> bytes:
    planning.apply(planning.plan_install(AGENT, file, wanted), NOW)
    return file.read_bytes()


def do_uninstall(file: Path) -> bytes | None:
    planning.apply(planning.plan_uninstall(AGENT, file), NOW)
    return content_of(file)


@many
@given(before=settings_bytes())
def test_install_then_uninstall_gives_the_old_bytes_back(file, before):
    start_with(file, before)

    do_install(file)

    assert do_uninstall(file) == before


@many
@given(before=settings_bytes())
def test_an_installation_adds_our_entries_and_changes_nothing_else(file, before):
    start_with(file, before)

    after = do_install(file)

    assert hook_block.is_installed(after.decode("utf-8-sig"), WANTED)
    # Blanks aside: those of a container that was empty come back with uninstall.
    assert is_subsequence(b"".join((before or b"").split()), b"".join(after.split()))
    installed = json.loads(after.decode("utf-8-sig"), parse_int=str)
    text = (before or b"").decode("utf-8-sig")
    original = json.loads(text, parse_int=str) if text.strip() else {}
    assert without_groups_of_ours(installed) == without_empty_events(original)


def without_groups_of_ours(document: dict) -> dict:
    block = document["hooks"]
    for registration in WANTED:
        block[registration.event].pop()
    return without_empty_events(document)


def without_empty_events(document: dict) -> dict:
    ours = {registration.event for registration in WANTED}
    block = document.get("hooks", {})
    block = {event: groups for event, groups in block.items() if groups or event not in ours}
    return {**document, "hooks": block}


@many
@given(before=settings_bytes())
def test_installing_twice_is_installing_once(file, before):
    start_with(file, before)

    once = do_install(file)

    assert do_install(file) == once


@many
@given(before=settings_bytes())
def test_an_upgrade_replaces_the_entries_and_still_uninstalls_to_the_old_bytes(file, before):
    start_with(file, before)
    do_install(file)

    after = do_install(file, UPGRADED)

    assert hook_block.is_installed(after.decode("utf-8-sig"), UPGRADED)
    assert do_uninstall(file) == before


@many
@given(before=settings_bytes())
def test_without_the_record_uninstall_still_takes_every_entry_out(file, before, tmp_path):
    start_with(file, before)
    do_install(file)
    for record in (tmp_path / "data home" / "installed").iterdir():
        record.unlink()

    after = do_uninstall(file)

    text = (after or b"").decode("utf-8-sig")
    assert "compact_guard/hook/__main__.py" not in text
    assert isinstance(json.loads(text, parse_int=str), dict)


@many
@given(before=settings_bytes(), edit=hook_blocks(), position=st.integers(0, 3))
def test_edits_between_install_and_uninstall_stay(file, before, edit, position):
    start_with(file, before)
    after = do_install(file).decode("utf-8-sig")
    opening = after.index("{") + 1
    file.write_text(f'{after[:opening]}"edited": {edit}, {after[opening:]}', encoding="utf-8")

    left = do_uninstall(file)

    assert left is not None
    assert f'"edited": {edit}'.encode() in left
    assert b"compact_guard/hook/__main__.py" not in left
    assert "edited" in json.loads(left, parse_int=str)
