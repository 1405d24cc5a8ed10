"""What `pip install` gives a stranger: the wheel's content, and the commands that run from it."""

import json
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

from tests.builders import busy_weeks, rows_of, write_log
from tests.source_tree import PACKAGE, ROOT, copy_checkout

pytestmark = pytest.mark.slow

SECONDS_MAX = 120
AS_OF = ["--as-of", "2026-11-30T03:00:00Z"]
COPIED_INTO_THE_WHEEL = ("sql", "expectations", "flows", "reports/templates")


class Environment:
    """A fresh virtual environment with the wheel in it, used from a folder of its own."""

    def __init__(self, folder: Path, wheel: Path, *more: Path) -> None:
        run(sys.executable, "-m", "venv", "--without-pip", folder)
        self.programs = folder / "bin"
        pip = (sys.executable, "-m", "pip", "--python", self.programs / "python")
        run(*pip, "install", "--quiet", "--no-deps", "--no-index", wheel)
        [self.site_packages] = folder.glob("lib/python*/site-packages")
        (self.site_packages / "more.pth").write_text("".join(f"{path}\n" for path in more))
        self.elsewhere = folder / "elsewhere"
        self.elsewhere.mkdir()

    def run(self, program: str, *arguments: object, **options) -> subprocess.CompletedProcess:
        return subprocess.run(
            [self.programs / program, *map(str, arguments)],
            cwd=self.elsewhere,
            capture_output=True,
            text=True,
            timeout=SECONDS_MAX,
            check=False,
            **options,
        )


def run(*command: object, **options) -> None:
    subprocess.run([*map(str, command)], check=True, timeout=SECONDS_MAX, **options)


def build(checkout: Path, target: str) -> Path:
    """The wheel or sdist that hatchling makes; nothing is fetched."""
    run(sys.executable, "-m", "hatchling", "build", "--target", target, cwd=checkout)
    [built] = (checkout / "dist").glob("*.whl" if target == "wheel" else "*.tar.gz")
    return built


@pytest.fixture(scope="module")
def checkout(tmp_path_factory) -> Path:
    return copy_checkout(tmp_path_factory.mktemp("packaging") / "checkout")


@pytest.fixture(scope="module")
def wheel(checkout) -> Path:
    return build(checkout, "wheel")


@pytest.fixture(scope="module")
def bare(wheel, tmp_path_factory) -> Environment:
    """The base install: no dependency at all."""
    return Environment(tmp_path_factory.mktemp("bare") / "environment", wheel)


@pytest.fixture(scope="module")
def full(wheel, tmp_path_factory) -> Environment:
    """The evaluator's dependencies beside the wheel; they are those of these tests."""
    dependencies = Path(pytest.__file__).parents[1]
    return Environment(tmp_path_factory.mktemp("full") / "environment", wheel, dependencies)


def names_in(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def files_of(folder: Path) -> set[str]:
    return {
        file.relative_to(folder).as_posix()
        for file in folder.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }


def test_site_packages_gets_no_name_but_ours(wheel):
    tops = {name.partition("/")[0] for name in names_in(wheel)}

    assert tops == {"compact_guard", f"compact_guard-{version()}.dist-info"}


def version() -> str:
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]


def test_everything_that_runs_is_in_the_wheel(wheel):
    expected = {f"compact_guard/{name}" for name in files_of(PACKAGE)}
    for folder in COPIED_INTO_THE_WHEEL:
        expected |= {f"compact_guard/_assets/{folder}/{name}" for name in files_of(ROOT / folder)}

    found = {name for name in names_in(wheel) if name.startswith("compact_guard/")}
    assert found == expected
    assert found >= {
        "compact_guard/evaluator/policy.toml",
        "compact_guard/contracts/audit-event.schema.json",
        "compact_guard/_assets/sql/marts/compactions.sql",
        "compact_guard/_assets/flows/verdict.py",
        "compact_guard/_assets/reports/templates/verdict.md.j2",
    }
    assert any(name.startswith("compact_guard/recorded/") for name in found)


def test_the_base_install_depends_on_nothing(wheel):
    with zipfile.ZipFile(wheel) as archive:
        text = archive.read(f"compact_guard-{version()}.dist-info/METADATA").decode()
    metadata = Parser().parsestr(text)

    demands = metadata.get_all("Requires-Dist")
    assert [demand for demand in demands if "extra == " not in demand] == []
    assert metadata["Requires-Python"] == ">=3.11"


def test_the_wheel_of_the_sdist_is_the_same(checkout, wheel, tmp_path):
    with tarfile.open(build(checkout, "sdist")) as archive:
        archive.extractall(tmp_path, filter="data")
    [unpacked] = tmp_path.iterdir()

    assert names_in(build(unpacked, "wheel")) == names_in(wheel)


def test_the_evaluator_runs_from_the_wheel_wherever_one_is(full, tmp_path):
    log = write_log(tmp_path / "audit", rows_of(busy_weeks()))

    answer = full.run("compact-guard", "evaluate", "--audit", log, *AS_OF, "--json")

    assert (answer.returncode, answer.stderr) == (0, "")
    assert json.loads(answer.stdout)["verdict"] == "KEEP"
    assert (full.elsewhere / "reports" / "2026-11-30-verdict.md").is_file()


def test_the_flow_of_the_wheel_rehearses_on_the_recorded_log(full):
    flow = full.site_packages / "compact_guard" / "_assets" / "flows" / "verdict.py"

    answer = full.run("python", flow)

    assert (answer.returncode, answer.stderr) == (0, "")
    assert "Rehearsed KEEP" in answer.stdout


def test_the_base_install_knows_its_version(bare):
    answer = bare.run("compact-guard", "--version")

    assert answer.stdout == f"compact-guard {version()}\n"


def test_the_base_install_guards(bare, a_home_of_its_own):
    installed = bare.run("compact-guard", "install", "claude-code", "--yes")
    assert (installed.returncode, installed.stderr) == (0, "")
    settings = json.loads((a_home_of_its_own / ".claude" / "settings.json").read_text("utf-8"))
    [group] = settings["hooks"]["PreCompact"]
    command = group["hooks"][0]["command"]
    assert command.startswith(str(bare.programs))

    payload = json.dumps({"session_id": "s1", "hook_event_name": "PreCompact", "trigger": "auto"})
    answer = subprocess.run(
        command, shell=True, input=payload, capture_output=True, text=True, check=True
    )

    assert (answer.stdout, answer.stderr) == ("", "")
    [log] = a_home_of_its_own.glob(".local/share/compact-guard/audit/*.jsonl")
    row = json.loads(log.read_text("utf-8"))
    assert (row["event"], row["outcome"], row["origin"]) == ("pre_compact", "failed", "natural")


def test_without_its_dependencies_the_evaluator_says_how_to_get_them(bare):
    answer = bare.run("compact-guard", "evaluate")

    assert (answer.returncode, answer.stdout) == (2, "")
    assert "pip install 'compact-guard[evaluator]'" in answer.stderr
