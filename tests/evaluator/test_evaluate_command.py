"""`compact-guard evaluate` as a person and a script use it."""

import json

import pytest

from compact_guard import cli
from tests.builders import OLD_FINGERPRINT, Session, busy_weeks, rows_of, write_log

pytestmark = pytest.mark.slow

AS_OF = ["--as-of", "2026-11-30T03:00:00Z"]


@pytest.fixture
def evaluate(tmp_path, capsys):
    """Run the command on rows; returns exit status, standard output and standard error."""

    def run(rows, *options: str):
        log = write_log(tmp_path / "audit", rows)
        reports = ["--reports", str(tmp_path / "reports")]
        status = cli.main(["evaluate", "--audit", str(log), *AS_OF, *reports, *options])
        return status, *capsys.readouterr()

    return run


def answer(result) -> dict:
    status, out, err = result
    assert err == ""
    assert status in (0, 3, 4)
    return json.loads(out)


def test_a_keep_exits_zero_and_names_its_report(evaluate, tmp_path):
    status, out, err = evaluate(rows_of(busy_weeks()))

    assert (status, err) == (0, "")
    assert out.startswith("KEEP: the guard delivered every checkpoint that counted\n")
    report = tmp_path / "reports" / "2026-11-30-verdict.md"
    assert f"Report: {report}" in out
    assert report.read_text(encoding="utf-8").startswith("# KEEP")


def test_thin_evidence_exits_three(evaluate):
    assert evaluate(rows_of(busy_weeks(compactions=58)))[0] == 3


def test_a_failure_exits_four(evaluate):
    rows = rows_of([*busy_weeks(), Session("bad").pre("aa").finish().start(None, "none")])

    assert evaluate(rows)[0] == 4


def test_json_is_the_contracts_object_and_nothing_else(evaluate):
    result = evaluate(rows_of(busy_weeks()), "--json")

    found = answer(result)
    assert set(found) >= {"verdict", "as_of", "interfaces", "rows"}
    assert found["as_of"] == "2026-11-30T03:00:00Z"
    [interface] = found["interfaces"]
    assert interface["compactions"][0] == {
        "checkpoint_hash": interface["compactions"][0]["checkpoint_hash"],
        "outcome": "injected",
        "evidence": "session_start",
    }
    expected = {
        "interface": "claude-code/anthropic",
        "verdict": "KEEP",
        "guard_fingerprint": "b" * 12,
        "agent_versions": ["2.1.332"],
        "period": {"from": "2026-11-05T03:05:00Z", "to": "2026-11-30T03:00:00Z"},
        "natural_events": 177,
        "synthetic_events": 0,
        "sessions": 25,
        "synthetic_outcomes": {},
        "eligible": 59,
        "eligible_counted": 59,
        "needed": 59,
        "unresolved": 0,
        "coverage": 1.0,
        "orphan_injections": 0,
        "miss_rate_upper_bound": 0.049508,
        "session_miss_rate_upper_bound": 0.112928,
        "confidence": 0.95,
        "witnessed": False,
        "witnessed_compactions": 0,
        "keep_still_possible": True,
    }
    assert {name: interface[name] for name in expected} == expected


def test_json_names_what_offends_and_why_it_matters(evaluate):
    story = Session("s1").delivered("aa").start("zz")

    [interface] = answer(evaluate(story.rows, "--json"))["interfaces"]

    [broken] = [one for one in interface["expectations"] if not one["success"]]
    assert broken == {
        "suite": "evidence_identities",
        "expectation": "expect_column_values_to_be_in_set(orphan_injections)",
        "severity": "critical",
        "success": False,
        "observed": 1,
        "why": "A text was injected that no checkpoint of that session announces: whose was it?",
        "offending": [
            {"key": story.rows[-1]["event_id"], "recorded_at": "2026-11-05T03:06:20.300000Z"}
        ],
    }


def test_html_and_data_docs_are_made_on_demand(evaluate, tmp_path):
    docs = tmp_path / "docs"

    answer(evaluate(rows_of(busy_weeks(1, 2)), "--json", "--html", "--data-docs", str(docs)))

    page = (tmp_path / "reports" / "2026-11-30-verdict.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert (docs / "index.html").is_file()


def test_rows_are_counted_whatever_became_of_them(evaluate):
    rows = rows_of(busy_weeks())
    later = Session("late").delivered("zz").rows[0] | {"recorded_at": "2026-12-01T00:00:00Z"}
    strangers = ["torn {", '{"schema": "compact-guard.audit/2"}', '{"a": 1}']

    found = answer(evaluate([*rows, rows[0], later, *strangers], "--json"))

    assert found["rows"] == {
        "read": 182,
        "accepted": 177,
        "duplicates": 1,
        "quarantined": 3,
        "after_as_of": 1,
    }


def test_an_event_id_that_returns_with_other_content_is_quarantined(evaluate):
    rows = rows_of(busy_weeks())
    forged = rows[0] | {"recorded_at": "2026-11-29T00:00:00Z", "duration_ms": 1.0}

    found = answer(evaluate([forged, *rows, forged], "--json"))

    assert (found["rows"]["accepted"], found["rows"]["quarantined"]) == (177, 2)


def test_a_rehearsal_judges_synthetic_rows_and_says_that_it_is_no_verdict(evaluate, tmp_path):
    rows = rows_of(busy_weeks(origin="synthetic"))

    plain = answer(evaluate(rows, "--json"))
    assert (plain["verdict"], plain["interfaces"][0]["natural_events"]) == ("OBSERVE", 0)
    assert plain["interfaces"][0]["synthetic_outcomes"] == {"injected": 59}

    status, out, _ = evaluate([], "--rehearse")
    assert status == 0
    assert "This is no verdict." in out
    report = (tmp_path / "reports" / "2026-11-30-rehearsed-verdict.md").read_text(encoding="utf-8")
    assert report.startswith("# Rehearsed KEEP")
    assert "This is a rehearsal, not a verdict" in report


def test_a_new_fingerprint_starts_a_new_period_and_the_old_failure_stays_in_sight(
    evaluate, tmp_path
):
    old = Session("old", fingerprint=OLD_FINGERPRINT).pre("aa").finish().start(None, "none")

    status, _, _ = evaluate(rows_of([old, *busy_weeks()]))

    assert status == 0
    report = (tmp_path / "reports" / "2026-11-30-verdict.md").read_text(encoding="utf-8")
    assert f"| claude-code/anthropic | parallel | `{OLD_FINGERPRINT}` |" in report


def test_an_older_period_can_be_asked_for(evaluate):
    old = Session("old", fingerprint=OLD_FINGERPRINT).pre("aa").finish().start(None, "none")

    found = answer(
        evaluate(rows_of([old, *busy_weeks()]), "--json", "--fingerprint", OLD_FINGERPRINT)
    )

    [interface] = found["interfaces"]
    assert (interface["guard_fingerprint"], interface["outcomes"]["missed"]) == (OLD_FINGERPRINT, 1)


def test_a_fingerprint_that_no_row_has_is_refused_with_those_that_there_are(evaluate):
    status, out, err = evaluate(rows_of(busy_weeks()), "--fingerprint", "c" * 12)

    assert (status, out) == (2, "")
    assert "b" * 12 in err


def test_each_interface_is_judged_and_the_worst_speaks(evaluate):
    rows = rows_of([*busy_weeks(), Session("s1", "codex/cli").delivered("aa")])

    found = answer(evaluate(rows, "--json"))

    assert [(one["interface"], one["verdict"]) for one in found["interfaces"]] == [
        ("claude-code/anthropic", "KEEP"),
        ("codex/cli", "OBSERVE"),
    ]
    assert found["verdict"] == "OBSERVE"


def test_a_policy_can_narrow_the_interfaces_and_a_silent_one_is_not_forgotten(evaluate, tmp_path):
    policy = tmp_path / "mine.toml"
    policy.write_text('interfaces = ["codex/desktop"]\n', encoding="utf-8")

    found = answer(evaluate(rows_of(busy_weeks()), "--json", "--policy", str(policy)))

    [interface] = found["interfaces"]
    assert (interface["interface"], interface["natural_events"]) == ("codex/desktop", 0)
    assert found["verdict"] == "OBSERVE"
    report = (tmp_path / "reports" / "2026-11-30-verdict.md").read_text(encoding="utf-8")
    assert "Never observed in real work so far." in report


def test_a_warehouse_that_is_kept_can_be_used_again(evaluate, tmp_path):
    file = tmp_path / "deep" / "warehouse.duckdb"

    first = evaluate(rows_of(busy_weeks()), "--json", "--warehouse", str(file))
    second = evaluate([], "--json", "--warehouse", str(file))

    assert file.exists()
    assert first == second


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--audit", "/nowhere"], "compact-guard install claude-code"),
        (["--as-of", "yesterday"], "is no ISO 8601 time"),
        (["--policy", "/nowhere.toml"], "cannot read the policy"),
    ],
)
def test_bad_usage_exits_two_with_the_mend(evaluate, capsys, tmp_path, arguments, complaint):
    log = write_log(tmp_path / "audit", rows_of(busy_weeks(1, 1)))
    try:
        status = cli.main(["evaluate", "--audit", str(log), *arguments])
    except SystemExit as left:
        status = left.code
    out, err = capsys.readouterr()

    assert (status, out) == (2, "")
    assert complaint in err


def test_without_a_log_of_ones_own_it_says_how_to_get_one(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("COMPACT_GUARD_HOME", str(tmp_path))

    assert cli.main(["evaluate"]) == 2
    assert "compact-guard install claude-code" in capsys.readouterr().err


def test_only_lines_that_cannot_be_used_are_no_verdict_but_no_crash(evaluate):
    found = answer(evaluate(["torn {"], "--json"))

    assert (found["verdict"], found["interfaces"]) == ("OBSERVE", [])
