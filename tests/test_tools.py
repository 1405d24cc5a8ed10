"""A program that is missing is told with its mend: a skip at home, a failure in CI."""

import pytest

from tests import tools


@pytest.mark.parametrize(
    ("ci", "outcome"), [("", pytest.skip.Exception), ("true", pytest.fail.Exception)]
)
def test_a_missing_program_is_named_with_its_mend(ci, outcome, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("CI", ci)

    with pytest.raises(outcome, match="as root, apt-get install chromium fonts-liberation"):
        tools.path_of("chromium")


@pytest.mark.parametrize(("ci", "status"), [("", 0), ("true", 1)])
def test_what_could_not_be_installed_is_said_and_in_ci_stops(
    ci, status, monkeypatch, tmp_path, capsys
):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("CI", ci)

    assert tools.main() == status
    assert capsys.readouterr().out.count("missing: `") == len(tools.PACKAGES)
