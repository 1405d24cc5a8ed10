"""Whose entry is whose: recognition, removal, and what may be edited at all."""

import json

import pytest

from compact_guard.install import hook_block
from compact_guard.install.json_edit import JsonProblem
from tests.install.settings_sources import our_registrations

WANTED = our_registrations()
OURS = "python3 /old place/compact_guard/hook/__main__.py claude-code pre_compact"
THEIRS = "their-tool --save"


def entry(command: str) -> dict:
    return {"type": "command", "command": command}


def settings(**events: list) -> str:
    return json.dumps({"hooks": events, "model": "opus"}, indent=2)


def groups_left(text: str, event: str = "PreCompact") -> list | None:
    return json.loads(hook_block.remove(text, None)).get("hooks", {}).get(event)


@pytest.mark.parametrize(
    "command",
    [
        OURS,
        "/venv/bin/python -I -S '/a b/compact_guard/hook/__main__.py' claude-code pre_compact",
        r'"C:\Python\python.exe" -I -S C:\lib\compact_guard\hook\__main__.py claude-code x',
    ],
)
def test_an_entry_is_ours_by_the_hook_that_it_runs_whatever_runs_it(command):
    assert hook_block.has_entries(settings(PreCompact=[{"hooks": [entry(command)]}]))


@pytest.mark.parametrize(
    "groups",
    [
        [{"hooks": [entry(THEIRS)]}],
        [{"hooks": [{"type": "prompt", "prompt": OURS}]}],
        [{"hooks": [{"type": "command", "command": 1}, OURS, None]}],
        [{"hooks": entry(OURS)}],
        [entry(OURS), OURS, [entry(OURS)]],
    ],
)
def test_nothing_else_is_ours(groups):
    text = settings(PreCompact=groups)

    assert not hook_block.has_entries(text)
    assert hook_block.remove(text, None) == text


def test_a_strangers_entry_in_our_group_keeps_the_group():
    text = settings(PreCompact=[{"hooks": [entry(OURS), entry(THEIRS)]}])

    assert groups_left(text) == [{"hooks": [entry(THEIRS)]}]


def test_our_entry_in_a_strangers_group_leaves_the_group():
    text = settings(PreCompact=[{"matcher": "auto", "hooks": [entry(THEIRS), entry(OURS)]}])

    assert groups_left(text) == [{"matcher": "auto", "hooks": [entry(THEIRS)]}]


def test_every_copy_goes_also_under_events_that_we_no_longer_use():
    text = settings(
        PreCompact=[{"hooks": [entry(OURS), entry(OURS)]}, {"hooks": [entry(OURS)]}],
        Stop=[{"hooks": [entry(OURS)]}],
    )

    assert json.loads(hook_block.remove(text, None)) == {"model": "opus"}


def test_a_copy_in_a_duplicate_hooks_key_goes_too():
    ours = json.dumps({"PreCompact": [{"hooks": [entry(OURS)]}]})
    text = f'{{"hooks": {ours}, "hooks": {ours}, "model": "opus"}}'

    assert hook_block.remove(text, None) == '{"model": "opus"}'


def test_an_event_list_that_was_empty_before_us_stays():
    text = settings(PreCompact=[], Stop=[])

    added, traces = hook_block.add(text, WANTED)

    assert hook_block.remove(added, traces) == text


def test_only_the_three_compaction_events_are_registered():
    added, _ = hook_block.add("{}", WANTED)

    assert list(json.loads(added)["hooks"]) == ["PreCompact", "SessionStart", "PostCompact"]


@pytest.mark.parametrize(
    ("change", "is_same"),
    [
        (lambda text: text, True),
        (lambda text: text.replace('"timeout": 30', '"timeout": 5', 1), False),
        (lambda text: text.replace('"matcher": "compact"', '"matcher": "startup"'), False),
        (lambda text: text.replace('"PostCompact"', '"Stop"'), False),
        (lambda text: hook_block.add(text, WANTED[:1])[0], False),
        (lambda text: hook_block.add("{}", WANTED[:2])[0], False),
    ],
)
def test_installed_means_exactly_the_wanted_entries_each_once(change, is_same):
    text, _ = hook_block.add("{}", WANTED)

    assert hook_block.is_installed(change(text), WANTED) is is_same


@pytest.mark.parametrize(
    ("text", "line", "column", "complaint"),
    [
        ("[]", 1, 1, "the file must hold one JSON object"),
        ('{\n  "hooks": []\n}', 2, 12, '"hooks" must be an object'),
        ('{"hooks": {}, "hooks": null}', 1, 24, '"hooks" must be an object'),
        ('{"hooks": {\n"PreCompact": {}}}', 2, 15, '"PreCompact" must be a list'),
    ],
)
def test_settings_of_another_shape_are_refused_with_the_place(text, line, column, complaint):
    with pytest.raises(JsonProblem) as caught:
        hook_block.check(text, ("PreCompact",))

    problem = caught.value
    assert (problem.line, problem.column, problem.complaint) == (line, column, complaint)


def test_an_event_of_another_shape_that_we_do_not_use_is_left_alone():
    hook_block.check('{"hooks": {"Stop": {}}}', ("PreCompact",))
