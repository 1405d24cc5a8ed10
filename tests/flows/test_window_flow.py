"""The flow orders what `window` and `simulate` do, on Prefect's own terms."""

import json

import pytest

from tests.window import histories

pytestmark = pytest.mark.slow


@pytest.fixture(scope="package")
def window_flow(flows):
    return flows("window")


@pytest.fixture(scope="module")
def history(tmp_path_factory):
    """Sessions with a larger window since, which costs more."""
    return histories.change_of_window(
        tmp_path_factory.mktemp("history"), before=80_000, after=160_000
    )


@pytest.fixture
def emitted(monkeypatch):
    """The events that go to Prefect, with the ids of their resources."""
    found = []

    def emit(event, resource, payload):
        found.append((event, resource["prefect.resource.id"], payload["verdict"]))

    monkeypatch.setattr("compact_guard.operate.window_publishing.emit_event", emit)
    return found


def test_the_flow_studies_simulates_reports_and_tells(window_flow, history, tmp_path, emitted):
    policy = tmp_path / "policy.toml"
    told = tmp_path / "told.txt"
    policy.write_text(f'[notify]\ncommand = ["sh", "-c", "cat >> {told}"]\n')

    studied = window_flow([history], policy=policy, reports=tmp_path / "reports", hour=60)

    assert studied.answer["verdict"] == "REVERT"
    assert studied.report.read_text(encoding="utf-8").startswith("# REVERT")
    assert studied.report.with_suffix(".html").exists()
    assert studied.simulated["hour_usd"] == 60
    assert [news.event for news in studied.news] == ["compact-guard.window.verdict.changed"]
    assert emitted == [("compact-guard.window.verdict.changed", "compact-guard.window", "REVERT")]
    assert told.read_text().startswith("window: OBSERVE became REVERT: cost per turn changed by +")


def test_what_was_told_is_not_told_again(window_flow, history, tmp_path):
    first = window_flow([history], reports=tmp_path, html=False)
    second = window_flow([history], reports=tmp_path, html=False)

    assert [len(first.news), len(second.news)] == [1, 0]
    assert json.dumps(first.answer) == json.dumps(second.answer)
    assert not list(tmp_path.glob("*.html"))


def test_no_transcripts_fail_the_flow(window_flow, tmp_path):
    with pytest.raises(Exception, match="could be read"):
        window_flow([tmp_path], reports=tmp_path)
