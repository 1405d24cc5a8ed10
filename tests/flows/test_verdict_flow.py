"""The flow orders what `evaluate` does, on Prefect's own terms."""

import pytest

from tests.builders import Session, busy_weeks, rows_of, write_log

pytestmark = pytest.mark.slow


@pytest.fixture(scope="package")
def verdict_flow(flows):
    return flows("verdict")


def test_the_flow_decides_and_reports(verdict_flow, tmp_path):
    log = write_log(tmp_path / "audit", rows_of(busy_weeks()))

    judged = verdict_flow([log], reports=tmp_path / "reports", as_of="2026-11-30T03:00Z")

    assert judged.evaluation.verdict == "KEEP"
    assert [news.event for news in judged.news] == ["compact-guard.verdict.changed"]
    assert judged.report == tmp_path / "reports" / "2026-11-30-verdict.md"
    assert judged.report.read_text(encoding="utf-8").startswith("# KEEP")


def test_a_look_at_one_interface_judges_it_alone_and_tells_nobody(verdict_flow, tmp_path):
    log = write_log(
        tmp_path / "audit",
        rows_of([*busy_weeks(), Session("gate", "claude-code/gateway").delivered("x")]),
    )

    judged = verdict_flow([log], interface="claude-code/gateway", reports=tmp_path / "reports")

    [result] = judged.evaluation.interfaces
    assert result.evidence.interface == "claude-code/gateway"
    assert judged.news == ()


def test_what_the_command_can_write_the_flow_can_too(verdict_flow, tmp_path):
    log = write_log(tmp_path / "audit", rows_of(busy_weeks()))

    judged = verdict_flow(
        [log],
        reports=tmp_path / "reports",
        as_of="2026-11-30T03:00Z",
        html=False,
        data_docs=tmp_path / "docs",
        keep="90d",
        warehouse=tmp_path / "warehouse.duckdb",
    )

    assert judged.evaluation.request.keep.days == 90
    assert (tmp_path / "docs" / "index.html").exists()
    assert not list((tmp_path / "reports").glob("*.html"))


def test_a_stretch_of_time_that_is_none_fails_the_flow(verdict_flow, tmp_path):
    with pytest.raises(Exception, match="'90 days' is no duration"):
        verdict_flow([tmp_path], reports=tmp_path, keep="90 days")


def test_a_log_that_is_not_there_fails_the_flow(verdict_flow, tmp_path):
    with pytest.raises(Exception, match="compact-guard install claude-code"):
        verdict_flow([tmp_path / "nowhere"], reports=tmp_path)
