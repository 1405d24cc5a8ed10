"""Files, folders, links, modes, backups: what an installation does around the JSON."""

import json
import os
import stat
from datetime import UTC, datetime, timedelta

import pytest

from compact_guard import data_home
from compact_guard.errors import UsageError
from compact_guard.install import planning
from tests.install.settings_sources import our_registrations

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
OLD = b'{\n  "model": "opus"\n}\n'
WANTED = our_registrations()


def do_install(path, wanted=WANTED, now=NOW):
    return planning.apply(planning.plan_install("claude-code", path, wanted), now)


def do_uninstall(path):
    return planning.apply(planning.plan_uninstall("claude-code", path), NOW)


def mode_of(path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def refusal(path) -> str:
    with pytest.raises(UsageError) as caught:
        planning.plan_install("claude-code", path, WANTED)
    return str(caught.value)


def test_a_plan_writes_nothing(machine):
    planning.plan_install("claude-code", machine.settings, WANTED)

    assert list(machine.root.rglob("*")) == [machine.home]


def test_missing_folders_are_created_and_removed_again(machine):
    do_install(machine.settings)
    assert machine.settings.is_file()

    do_uninstall(machine.settings)
    assert list(machine.home.iterdir()) == []


def test_a_created_folder_that_others_use_by_now_stays(machine):
    do_install(machine.settings)
    other = machine.settings.with_name("history.jsonl")
    other.write_text("theirs")

    do_uninstall(machine.settings)

    assert list(machine.settings.parent.iterdir()) == [other]


def test_a_created_file_with_the_users_settings_in_it_stays(machine):
    do_install(machine.settings)
    document = {"model": "opus", **json.loads(machine.settings.read_bytes())}
    machine.settings.write_text(json.dumps(document, indent=4))

    do_uninstall(machine.settings)

    assert machine.settings.read_text() == '{\n    "model": "opus"\n}'


def test_a_file_that_the_user_made_after_a_failed_installation_is_not_removed(machine):
    plan = planning.plan_install("claude-code", machine.settings, WANTED)
    planning.apply(plan, NOW)
    machine.settings.write_bytes(b"{}")  # the record of the installation is still there

    do_install(machine.settings)
    do_uninstall(machine.settings)

    assert machine.settings.read_bytes() == b"{}"


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o644])
def test_the_mode_of_the_file_stays(machine, mode):
    path = machine.has_settings(OLD, mode)

    do_install(path)
    assert mode_of(path) == mode

    do_uninstall(path)
    assert mode_of(path) == mode


def test_behind_a_link_the_target_is_edited_and_the_link_stays(machine):
    target = machine.root / "dotfiles" / "claude.json"
    target.parent.mkdir()
    target.write_bytes(OLD)
    machine.settings.parent.mkdir()
    machine.settings.symlink_to("../../dotfiles/claude.json")

    do_install(machine.settings)
    assert b"compact_guard/hook" in target.read_bytes()

    do_uninstall(machine.settings)
    assert target.read_bytes() == OLD
    assert machine.settings.readlink().as_posix() == "../../dotfiles/claude.json"


def test_a_dead_link_is_refused(machine):
    machine.settings.parent.mkdir()
    machine.settings.symlink_to("nowhere.json")

    assert "nowhere.json, which is missing: create it first" in refusal(machine.settings)


def test_a_loop_of_links_is_refused(machine):
    machine.settings.parent.mkdir()
    machine.settings.symlink_to("settings.json")

    assert str(machine.settings) in refusal(machine.settings)


def test_a_folder_in_the_files_place_is_refused(machine):
    machine.settings.mkdir(parents=True)

    assert f"{machine.settings} is not a file" in refusal(machine.settings)


def test_a_read_only_file_is_refused_even_for_root(machine):
    path = machine.has_settings(OLD, 0o444)

    assert f"{path} is read-only: allow writing to it (chmod u+w) first" in refusal(path)


def test_a_link_to_a_read_only_file_is_refused_naming_both(machine):
    target = machine.root / "store.json"
    target.write_bytes(OLD)
    target.chmod(0o444)
    machine.settings.parent.mkdir()
    machine.settings.symlink_to(target)

    assert f"{machine.settings} (really {target}) is read-only" in refusal(machine.settings)


def test_another_users_file_is_refused(machine, monkeypatch):
    path = machine.has_settings(OLD)
    monkeypatch.setattr(os, "geteuid", lambda: path.stat().st_uid + 1)

    assert f"{path} belongs to another user" in refusal(path)


def test_a_folder_that_takes_no_new_file_is_refused(machine, monkeypatch):
    path = machine.has_settings(OLD)
    monkeypatch.setattr(os, "access", lambda place, _: place != path.parent)

    assert f"{path.parent} is read-only" in refusal(path)


@pytest.mark.parametrize(
    ("content", "place", "mend"),
    [
        (b'{\n  // x\n  "a": 1}', "line 2, column 3", "Remove the comment."),
        (b'\xef\xbb\xbf{"a": 1,}', "line 1, column 8", "Remove the comma."),
        (b'{"hooks": 1}', "line 1, column 11", "Correct or remove that value."),
        (b'{\n"a": "\xff"}', "line 2, column 7", "Save the file as UTF-8."),
        ('{"a": 1}'.encode("utf-16"), "line 1, column 1", "Save the file as UTF-8."),
    ],
)
def test_what_cannot_be_edited_is_refused_with_place_and_mend_and_left_alone(
    machine, content, place, mend
):
    path = machine.has_settings(content)

    message = refusal(path)

    assert message.startswith(f"{path}, {place}: ")
    assert message.endswith(mend)
    assert path.read_bytes() == content
    with pytest.raises(UsageError, match=place):
        planning.plan_uninstall("claude-code", path)


def test_a_file_that_changes_while_the_person_thinks_is_left_alone(machine):
    path = machine.has_settings(OLD)
    plan = planning.plan_install("claude-code", path, WANTED)
    path.write_bytes(b'{"model": "sonnet"}')

    with pytest.raises(UsageError, match="changed meanwhile"):
        planning.apply(plan, NOW)

    assert path.read_bytes() == b'{"model": "sonnet"}'


def test_a_file_that_appears_while_the_person_thinks_is_left_alone(machine):
    plan = planning.plan_install("claude-code", machine.settings, WANTED)
    machine.has_settings(OLD)

    with pytest.raises(UsageError, match="changed meanwhile"):
        planning.apply(plan, NOW)

    assert machine.settings.read_bytes() == OLD


def test_the_old_file_is_kept_as_a_private_backup_in_our_own_folder(machine):
    path = machine.has_settings(OLD)

    backup = do_install(path)

    assert backup.read_bytes() == OLD
    assert backup.name == "settings.json.compact-guard-20261130T120000.000000Z.bak"
    assert backup.is_relative_to(machine.data_home / "backups")
    assert mode_of(backup) == 0o600
    assert {mode_of(folder) for folder in backup.parents[:3]} == {0o700}
    assert list(path.parent.iterdir()) == [path]


def test_a_new_file_needs_no_backup(machine):
    assert do_install(machine.settings) is None


def test_the_last_few_backups_are_kept(machine):
    path = machine.has_settings(OLD)

    backups = [
        do_install(path, our_registrations(f"/venv{day}/python"), NOW + timedelta(days=day))
        for day in range(8)
    ]

    assert sorted(backups[0].parent.iterdir()) == backups[-data_home.BACKUPS_MAX :]


def test_a_damaged_record_is_as_good_as_none(machine):
    path = machine.has_settings(OLD)
    do_install(path)
    (record,) = (machine.data_home / "installed").iterdir()
    record.write_bytes(b'{"schema": "compact-guard.installed/1", "surprise": 1}')

    do_uninstall(path)

    assert path.read_bytes() == OLD
    assert not record.exists()


def test_uninstalling_what_is_not_there_changes_nothing(machine):
    path = machine.has_settings(OLD)

    assert planning.plan_uninstall("claude-code", path).changes_nothing
    assert planning.plan_uninstall("claude-code", path.with_name("missing")).changes_nothing


def test_the_data_home_is_private_and_its_host_id_is_made_once(machine):
    data_home.prepare()
    config = machine.data_home / "config.json"
    first = config.read_bytes()
    data_home.prepare()

    assert config.read_bytes() == first
    content = json.loads(first)
    assert content["schema"] == "compact-guard.config/1"
    assert len(bytes.fromhex(content["host"])) == 8
    assert mode_of(config) == 0o600
    folders = [machine.data_home, machine.data_home / "audit", machine.data_home / "checkpoints"]
    assert {mode_of(folder) for folder in folders} == {0o700}


def test_the_project_folder_must_exist(machine):
    assert planning.project_folder(None) is None
    assert planning.project_folder(str(machine.home)) == machine.home
    with pytest.raises(UsageError, match="no such folder"):
        planning.project_folder(str(machine.root / "nowhere"))
