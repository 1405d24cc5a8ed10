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
        ("min_session = 3", "unknown setting 'min_session'"),
        ("min_sessions = -1", "min_sessions must be a whole number"),
        ("min_sessions = true", "min_sessions must be a whole number"),
        ("confidence = 1.0", "confidence must be more than 0 and less than 1"),
        ("max_miss_rate = 0.0", "max_miss_rate must be more than 0 and less than 1"),
        ('confidence = "high"', "confidence must be a number between 0 and 1"),
        ("grace = 30", "grace must be a duration"),
        ('grace = "soon"', "grace must be a duration"),
        ('natural_triggers = "auto"', "natural_triggers must be a list"),
        ('natural_triggers = ["idle"]', "natural_triggers must be a list"),
        ("interfaces = 7", 'interfaces must be "all" or a list'),
        ('revert_early = "yes"', "revert_early must be true or false"),
        ("[grace]\nvalue = '1m'\nwhy = 'x'", r"\[grace\] takes `value` and `reason`"),
        ("= 3", "is not TOML"),
    ],
)
def test_a_mistake_is_named_with_its_file(tmp_path, text, complaint):
    file = tmp_path / "mine.toml"
    file.write_text(text, encoding="utf-8")

    with pytest.raises(UsageError, match=complaint) as raised:
        policy.load(file)
    assert "mine.toml" in str(raised.value)


def test_a_policy_that_is_not_there_is_named(tmp_path):
    with pytest.raises(UsageError, match=r"cannot read the policy .*mine\.toml"):
        policy.load(tmp_path / "mine.toml")
