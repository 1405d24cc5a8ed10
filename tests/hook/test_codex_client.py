"""Which client of Codex, and which version: what can be known, and what is not guessed."""

import pytest

from compact_guard.agents.codex import hook_client


@pytest.fixture(autouse=True)
def no_codex_runs_this(monkeypatch):
    monkeypatch.setattr(hook_client, "running_process", lambda: None)


@pytest.mark.parametrize(
    ("originator", "interface"),
    [
        ("codex-tui", "codex/cli"),
        ("codex_exec", "codex/cli"),
        ("codex_cli_rs", "codex/cli"),
        ("Codex Desktop", "codex/desktop"),
        ("somebody's editor", "codex/other"),
        (None, "codex/other"),
        (5, "codex/other"),
    ],
)
def test_the_rollout_names_the_client_that_began_it(originator, interface):
    assert hook_client.look(None, {"originator": originator}, {}).interface == interface


def test_the_name_that_the_running_client_gives_counts_more():
    environment = {"CODEX_INTERNAL_ORIGINATOR_OVERRIDE": "Codex Desktop"}
    client = hook_client.look(None, {"originator": "codex_exec"}, environment)
    assert client.interface == "codex/desktop"


@pytest.mark.parametrize(
    ("is_server", "interface"), [(False, "codex/cli"), (True, "codex/desktop")]
)
def test_a_process_that_serves_no_client_is_a_terminals(monkeypatch, is_server, interface):
    process = hook_client.Process("0.171.0", is_server)
    monkeypatch.setattr(hook_client, "running_process", lambda: process)
    session = {"originator": "Codex Desktop", "cli_version": "0.144.6"}
    client = hook_client.look(None, session, {})
    assert (client.interface, client.version) == (interface, "0.171.0")


@pytest.mark.parametrize(
    ("layout", "version"),
    [
        ({"x/vendor/linux/bin/codex": "", "x/package.json": '{"version": "0.171.0-linux-x64"}'},
         "0.171.0"),
        ({"x/bin/codex": "", "x/codex-package.json": '{"version": "0.172.0-alpha.3"}'},
         "0.172.0-alpha.3"),
        ({"releases/0.150.1-x86_64-linux/codex": ""}, "0.150.1"),
        ({"node/22.1.0/lib/x/y/bin/codex": ""}, None),
        ({"x/bin/codex": "", "x/codex-package.json": "{"}, None),
        ({"x/bin/codex": "", "x/codex-package.json": "[]"}, None),
    ],
)  # fmt: skip
def test_an_installation_tells_its_version(tmp_path, layout, version):
    for name, content in layout.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
    (program,) = tmp_path.rglob("codex")
    assert hook_client._version_of(str(program)) == version


def test_a_program_that_an_update_replaced_tells_none(tmp_path):
    (tmp_path / "codex-package.json").write_text('{"version": "0.171.0"}')
    assert hook_client._version_of(f"{tmp_path}/bin/codex (deleted)") is None


@pytest.mark.parametrize(
    "first_line", [b"", b"{", b"[]\n", b'{"type":"session_meta"}\n', b"\xff\n"]
)
def test_a_rollout_without_a_readable_beginning_tells_nothing(tmp_path, first_line):
    file = tmp_path / "rollout.jsonl"
    file.write_bytes(first_line)
    assert hook_client.session_meta(str(file)) == {}


def test_the_process_above_a_hook_that_is_no_codex_is_none():
    assert hook_client.running_process() is None
