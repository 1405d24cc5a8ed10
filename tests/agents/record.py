"""Record an audit log with the real agent: `python -m tests.agents.record OUT`.

Drives the bench of the end-to-end tests through many sessions and leaves in OUT nothing but
the guard's audit log and a README that says how it came about. Anything recorded there
before is replaced.
"""

import argparse
import collections
import json
import shutil
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from string import Template

from compact_guard.hook.limits import VERSION
from tests.agents import needs
from tests.agents.claude_code import checks, evidence
from tests.agents.claude_code.model_replies import FILL, Json
from tests.agents.claude_code.recorded_sessions import PLAN, WORDS
from tests.agents.claude_code.sandbox import WINDOW, Sandbox
from tests.agents.isolation import loopback_only

README = Path(__file__).with_name("claude_code") / "recorded_readme.md"


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("out", type=Path, help="folder for audit/*.jsonl and README.md")
    out = parser.parse_args(argv).out
    if lacking := needs.missing():
        sys.stderr.write("".join(f"missing: {sentence}\n" for sentence in lacking))
        return 1
    with tempfile.TemporaryDirectory(prefix="record-") as folder, loopback_only() as isolation:
        with Sandbox(Path(folder) / "machine", isolation, **WINDOW) as sandbox:
            sandbox.install_guard()
            live_through(sandbox)
        rows = evidence.audit_rows(sandbox)
        check(rows)
        keep(sandbox.guard_home / "audit", rows, out)
    sys.stdout.write(f"{out}: {len(rows)} rows\n")
    return 0


def live_through(sandbox: Sandbox) -> None:
    """All sessions of the plan, one after the other, each named as it begins."""
    for number, session in enumerate(PLAN, 1):
        sys.stdout.write(f"{number}/{len(PLAN)} {session.__name__.replace('_', ' ')}\n")
        sys.stdout.flush()
        sandbox.rules(FILL)
        session(sandbox)


def check(rows: list[Json]) -> None:
    """Whatever leaves this machine is valid, synthetic, and free of words from the sessions."""
    contract = json.loads(checks.SCHEMA.read_text())
    for row in rows:
        checks.validate(row)
        assert row["origin"] == "synthetic"
        assert row.keys() <= contract["properties"].keys()
        assert not any(word in json.dumps(row) for word in WORDS)


def keep(audit: Path, rows: list[Json], out: Path) -> None:
    """Replace what OUT holds by this recording."""
    shutil.rmtree(out / "audit", ignore_errors=True)
    shutil.copytree(audit, out / "audit")
    # The log is private where it is written; this copy is published.
    for path in (out / "audit", *(out / "audit").iterdir()):
        path.chmod(0o755 if path.is_dir() else 0o644)
    facts = dict(facts_of(rows))
    (out / "README.md").write_text(Template(README.read_text()).substitute(facts))


def facts_of(rows: list[Json]) -> Iterator[tuple[str, object]]:
    """What the README tells; everything but the versions is counted in the rows themselves."""
    begun = [row for row in rows if row["event"] == "pre_compact" and not row["subagent"]]
    by_trigger = collections.Counter(row["trigger"] for row in begun)
    yield "claude_code", needs.CLAUDE_CODE.version
    yield "compact_guard", VERSION
    yield "guard_fingerprint", ", ".join(sorted({row["guard_fingerprint"] for row in rows}))
    yield "interfaces", ", ".join(sorted({row["interface"] for row in rows}))
    yield "day", datetime.now(UTC).date().isoformat()
    yield "rows", len(rows)
    yield "sessions", len({row["session_hash"] for row in rows})
    yield "auto", by_trigger["auto"]
    yield "manual", by_trigger["manual"]
    yield "injected", sum(row["outcome"] == "injected" for row in rows)


if __name__ == "__main__":
    sys.exit(main())
