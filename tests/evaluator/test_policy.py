"""The policy: every value with its reason, every mistake with its place."""

import pytest

from compact_guard.errors import UsageError
from compact_guard.evaluator import policy


def test_the_shipped_policy_asks_for_fifty_nine_passes():
    assert policy.load().needed == 59


def test_every_shipped_value_has_a_reason():
    shipped = policy.load()

    assert set(shipped.reasons) == {
        "min_natural_events", "max_miss_rate", "confidence", "min_sessions", "natural_triggers",
        "min_coverage", "max_unresolved", "max_quarantined", "grace", "interfaces", "revert_early",
    }  # fmt: skip
    assert all(shipped.reasons.values())


def test_a_file_overrides_what_it_names_and_nothing_else(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(
        'min_sessions = 3\n[grace]\nvalue = "2h"\nreason = "long summaries"\n', encoding="utf-8"
    )

    mine = policy.load(file)

    assert (mine.min_sessions, mine.grace_seconds, mine.needed) == (3, 7_200, 59)
    assert mine.reasons["grace"] == "long summaries"
    assert mine.reasons["min_sessions"] == "set without a reason"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("min_session = 3", "1: unknown setting 'min_session'; known: min_natural_events, "),
        ("min_sessions = -1", "1: min_sessions must be a whole number"),
        ("min_sessions = true", "1: min_sessions must be a whole number"),
        ("min_sessions = 3\n\nconfidence = 1.0", "3: confidence must be a number, more than 0"),
        ("max_miss_rate = 0.0", "1: max_miss_rate must be a number from 0.000001"),
        ("# strict\nmax_miss_rate = nan", "2: max_miss_rate must be a number from 0.000001"),
        ("min_coverage = nan", "1: min_coverage must be a number between 0 and 1"),
        ("max_unresolved = inf", "1: max_unresolved must be a number between 0 and 1"),
        ('confidence = "high"', "1: confidence must be a number, more than 0"),
        ('grace = "366d"', "1: grace must be a duration"),
        ("min_natural_events = 1_000_001", "1: min_natural_events must be a whole number"),
        ("grace = 30", "1: grace must be a duration"),
        ('[grace]\nreason = "slow"\nvalue = "soon"', "3: grace must be a duration"),
        ('grace.value = "soon"', "1: grace must be a duration"),
        ('grace = { reason = "slow", value = "soon" }', "1: grace must be a duration"),
        ('natural_triggers = "auto"', "1: natural_triggers must be a list"),
        ('natural_triggers = [\n  "auto",\n  "idle",\n]', "1: natural_triggers must be a list"),
        ("natural_triggers = []", "1: natural_triggers must be a list"),
        ("interfaces = []", '1: interfaces must be "all" or a list'),
        ("interfaces = 7", '1: interfaces must be "all" or a list'),
        ('revert_early = "yes"', "1: revert_early must be true or false"),
        ("[grace]\nvalue = '1m'\nwhy = 'x'", "1: [grace] takes `value` and `reason`"),
        ("[notify]\ncommand = 'beep'", "2: [notify] command must be a list of words"),
        ("[notify]\nwebhook = 'herons'", "2: [notify] webhook must be an http or https address"),
        ("[notify]\nmail = 'me'", "1: [notify] takes `command` and `webhook`"),
        ("notify = 3", "1: [notify] takes `command` and `webhook`"),
    ],
)
def test_a_mistake_is_named_with_its_file_and_line(tmp_path, text, complaint):
    file = tmp_path / "mine.toml"
    file.write_text(text, encoding="utf-8")

    with pytest.raises(UsageError) as raised:
        policy.load(file)
    assert str(raised.value).startswith(f"{file}, line {complaint}")


@pytest.mark.parametrize(
    ("text", "place"), [("= 3", "line 1, column 1"), ("a = 1\nb = [\n", "end of document")]
)
def test_what_is_no_toml_is_named_with_its_place(tmp_path, text, place):
    file = tmp_path / "mine.toml"
    file.write_text(text, encoding="utf-8")

    with pytest.raises(UsageError, match=rf"mine\.toml is not TOML: .*{place}"):
        policy.load(file)


def test_a_windows_file_with_a_byte_order_mark_is_read_like_any_other(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_bytes(b"\xef\xbb\xbfmin_sessions = 3\r\nmin_natural_events = 4\r\nconfidence = 2")

    with pytest.raises(UsageError, match="line 3: confidence must be"):
        policy.load(file)


def test_the_smallest_rate_asks_for_millions_of_compactions(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text("max_miss_rate = 0.000001", encoding="utf-8")

    assert policy.load(file).needed == 2_995_731


def test_a_policy_that_is_not_there_is_named(tmp_path):
    with pytest.raises(UsageError, match=r"cannot read the policy .*mine\.toml"):
        policy.load(tmp_path / "mine.toml")
