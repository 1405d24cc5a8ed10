"""The optional library adds findings, and nothing it does can stop or weaken our own rules."""

import json
import subprocess
import sys
from types import SimpleNamespace

import pytest

from compact_guard.hook import redaction, redaction_library
from tests.hook.conftest import HOOK, PYTHON

OURS = "TOKEN=A7b9C3d1E5f2G8h4"


@pytest.fixture(autouse=True)
def own_rules_afterwards():
    yield
    redaction_library.use(None)


def finding(start: int, end: int, kind: str = "vendor_token") -> SimpleNamespace:
    return SimpleNamespace(start=start, end=end, type=kind, action="warn")


def test_what_the_library_finds_goes_whatever_it_would_do_itself():
    redaction_library.use(lambda text: [finding(4, 12)])

    assert redaction.find_spans("the heronkey flies") == [(4, 12, "vendor-token")]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("key abcdefgh", finding(4, 12, "private_key")),
        ("key changeme", finding(4, 12)),
        ("key [redacted:key]", finding(0, 18)),
        ("key 0.12.3-rc1", finding(4, 14)),
    ],
)
def test_its_known_mistakes_are_left_out(text, found):
    redaction_library.use(lambda _: [found])

    assert redaction.redact(text) == text


class PanicException(BaseException):
    """What a panic in Rust code becomes: no Exception."""


@pytest.mark.parametrize("error", [ValueError, PanicException, MemoryError, TypeError])
def test_a_failing_library_leaves_our_own_rules(error):
    def broken(_text):
        raise error

    redaction_library.use(broken)

    assert redaction.redact(OURS) == "TOKEN=[redacted:token]"


def test_it_never_sees_half_a_character():
    seen = []
    redaction_library.use(lambda text: seen.append(text) or [])
    redaction.redact("a \ud83d b")

    assert seen == ["a ? b"]


def test_the_real_library_finds_and_keeps_offsets():
    scan = redaction_library.installed()
    assert scan is not None
    redaction_library.use(scan)

    clean = redaction.redact(f"😀 {OURS} \ud83d")
    assert clean == "😀 TOKEN=[redacted:token] \ud83d"


def loaded_by_a_hook(home, config: object) -> str:
    """Which scan function the hook's own interpreter ends up with, no site-packages around."""
    home.mkdir(exist_ok=True)
    (home / "config.json").write_text(json.dumps(config))
    program = (
        f"import sys; sys.path.append({str(HOOK.parents[2])!r}); before = list(sys.path)\n"
        "from compact_guard.hook import redaction, redaction_library\n"
        f"assert redaction.redact({OURS!r}) == 'TOKEN=[redacted:token]'\n"
        "assert sys.path == before\n"
        "sys.stdout.write(getattr(redaction_library._scan, '__name__', 'none'))"
    )
    command = [PYTHON, "-I", "-S", "-c", program]
    environment = {"COMPACT_GUARD_HOME": str(home)}
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, check=True
    ).stdout


PINNED = {"behaviour": {"redaction_library": redaction_library.PINNED}}


def test_a_hook_loads_the_library_that_its_config_names(tmp_path):
    config = PINNED | {"redaction_library_folder": redaction_library.folder()}

    assert loaded_by_a_hook(tmp_path, config) == "scan"


@pytest.mark.parametrize(
    "config",
    [
        {},
        [],
        PINNED,
        PINNED | {"redaction_library_folder": "/nowhere"},
        PINNED | {"redaction_library_folder": 5},
        {"behaviour": {"redaction_library": "other==1"}, "redaction_library_folder": sys.prefix},
        {"behaviour": None},
    ],
)
def test_without_it_a_hook_has_its_own_rules(tmp_path, config):
    assert loaded_by_a_hook(tmp_path, config) == "none"


def test_a_library_that_breaks_on_import_is_left_out(tmp_path):
    package = tmp_path / "packages" / "redact_secret"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise OSError('damaged')")
    config = PINNED | {"redaction_library_folder": str(package.parent)}

    assert loaded_by_a_hook(tmp_path / "home", config) == "none"
