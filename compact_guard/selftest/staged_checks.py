"""What must be true after a staged compaction, each with its mend."""

import json
import stat
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from compact_guard.agents import registry
from compact_guard.hook import checkpoint, paths, preserve
from compact_guard.hook.limits import DEADLINE_SECONDS, FILE_MODE, FOLDER_MODE
from compact_guard.hook.run import load_adapter
from compact_guard.hook.text import PLACEHOLDER_START
from compact_guard.install import options
from compact_guard.selftest import row_contract
from compact_guard.selftest.staged_run import PLANTED_WORDS, Run, Scene

_STDERR_CHARS_MAX = 300
_LOGS_MAX = 2  # a test that begins before midnight ends after it
_OUTCOMES = {
    ("pre_compact", False): "saved",
    ("session_start", False): "injected",
    ("session_start", True): "already_used",
    ("post_compact", False): "recorded",
}
_OF_CHECKPOINT = ("saved", "injected", "already_used")
_REDACTION_MEND = "do not work with this guard: uninstall it, and report it with this output"


@dataclass(frozen=True)
class Check:
    """`problem` "" if it passed; `told` says what was looked at."""

    name: str
    told: str
    problem: str
    mend: str

    def as_json(self) -> dict[str, object]:
        """The check as `--json` prints it."""
        mend = self.mend if self.problem else None
        told = self.problem or self.told
        return {"check": self.name, "ok": not self.problem, "told": told, "mend": mend}


def checks(scene: Scene, runs: list[Run]) -> list[Check]:
    """Every check, in the order in which one failure explains the next.

    Raises OSError for files of ours that cannot be read.
    """
    reinstall = f"run `compact-guard install {scene.agent}` again"
    doctor = f"run `compact-guard doctor {scene.agent}`"
    rows = list(_rows(scene.session_hash))
    texts = [text for run in runs if (text := _text_of(scene, run)) is not None]
    slowest = max(run.seconds for run in runs)
    told = f"{len(runs)} runs, {sum(run.seconds for run in runs) * 1000:.0f} ms in all"
    return [
        Check("exit_status", f"{len(runs)} runs, each exited with 0", _of_status(runs), reinstall),
        Check("time", told, _of_time(slowest), "look for what slows this machine or its disk down"),
        Check("silence", "nothing else was printed", _of_silence(scene, runs), reinstall),
        Check("options", _told_of_options(scene.agent), _of_options(scene, runs), reinstall),
        Check("rows", f"{len(rows)} valid rows that pair", _of_rows(runs, rows), doctor),
        Check("delivery", "the text arrived once", _of_delivery(runs, texts), doctor),
        Check("limit", "the text is within the limit", _of_limit(scene.agent, texts), reinstall),
        Check("content", "what was planted came back", _of_content(texts), doctor),
        Check(
            "redaction", "the secret is nowhere", _of_secret(scene, runs, texts), _REDACTION_MEND
        ),
        Check("privacy", "files 0600, folders 0700", _of_modes(scene.session_hash), doctor),
    ]


def _text_of(scene: Scene, run: Run) -> str | None:
    is_delivery = run.event == "session_start" and run.status == 0
    return registry.stage_of(scene.agent).text_in(run.stdout) if is_delivery else None


def _of_status(runs: list[Run]) -> str:
    for run in runs:
        if run.status != 0:
            ended = "did not end" if run.status is None else f"exited with {run.status}"
            said = run.stderr.decode(errors="replace").strip()[-_STDERR_CHARS_MAX:]
            return f"{run.event} {ended}" + (f" and said {said!r}" if said else "")
    return ""


def _of_time(slowest: float) -> str:
    return f"a run took {slowest:.1f} s" if slowest > DEADLINE_SECONDS else ""


def _of_silence(scene: Scene, runs: list[Run]) -> str:
    for run in runs:
        is_meant = _text_of(scene, run) is not None or _option_of(scene.agent, run) is not None
        if run.stdout and not is_meant:
            return f"{run.event} printed {len(run.stdout)} bytes that nobody asked for"
    return ""


def _option_of(agent: str, run: Run) -> str | None:
    """The option of install that made a run print what it printed; None if none did."""
    adapter = load_adapter(agent)
    said = run.stdout.decode(errors="replace")
    chosen = options.of(agent)
    if run.event == "pre_compact":
        is_request = chosen.preserve and said == adapter.render_request(preserve.TEXT)
        return "preserve" if is_request else None
    # The line itself depends on what was saved: all that stands around it is the adapter's.
    before, _, after = adapter.render_notice("|").partition("|")
    is_line = said.startswith(f"{before}compact-guard: ") and said.endswith(after)
    return "notice" if chosen.notice and is_line else None


def _told_of_options(agent: str) -> str:
    return f"options: {', '.join(options.of(agent).names()) or 'none chosen'}"


def _of_options(scene: Scene, runs: list[Run]) -> str:
    counts = Counter(_option_of(scene.agent, run) for run in runs)
    for name in options.of(scene.agent).names():
        if counts[name] != 1:
            return f"--{name} was chosen, and the hooks printed it {counts[name]} times"
    return ""


def _of_rows(runs: list[Run], rows: list[dict[str, Any]]) -> str:
    schema = row_contract.load()
    for row in rows:
        if problem := row_contract.complaint(row, schema):
            return f"a row breaks the contract: {problem}"
    acts = [(run.event, run.is_repeated) for run in runs]
    wanted = [_OUTCOMES[act] for act in acts if act in _OUTCOMES]
    found = [_outcome(row) for row in rows]
    if found != wanted:
        return f"the rows say {', '.join(found) or 'nothing'} instead of {', '.join(wanted)}"
    if any(row["origin"] != "synthetic" for row in rows):
        return "a row of this test is not marked as synthetic"
    hashes = {row["checkpoint_hash"] for row in rows if row["outcome"] in _OF_CHECKPOINT}
    return "the rows name different checkpoints" if len(hashes) > 1 else ""


def _outcome(row: dict[str, Any]) -> str:
    return f"{row['outcome']} ({row['reason']})" if row.get("reason") else str(row["outcome"])


def _of_delivery(runs: list[Run], texts: list[str]) -> str:
    if len(texts) != 1:
        return f"the text arrived {len(texts)} times instead of once"
    is_late = not any(run.stdout for run in runs if not run.is_repeated)
    return "the text came with the second restart only" if is_late else ""


def _of_limit(agent: str, texts: list[str]) -> str:
    adapter = load_adapter(agent)
    longest = max((adapter.length(text) for text in texts), default=0)
    limit = adapter.INJECTION_UNITS_MAX
    return f"the text has {longest} of {limit} allowed" if longest > limit else ""


def _of_content(texts: list[str]) -> str:
    whole = "".join(texts)
    lost = [words for words in PLANTED_WORDS if words not in whole]
    return f"not in the text: {', '.join(lost)}" if lost else ""


def _of_secret(scene: Scene, runs: list[Run], texts: list[str]) -> str:
    secret = scene.secret.encode()
    if any(secret in run.stdout or secret in run.stderr for run in runs):
        return "a hook printed the secret"
    for file in [*_saved_files(scene.session_hash), *_logs()]:
        if secret in file.read_bytes():
            return f"the secret stands in {file.parent.parent.name}/"
    if not any(PLACEHOLDER_START in text for text in texts):
        return "no placeholder stands in the secret's place"
    return ""


def _of_modes(session_hash: str) -> str:
    folder = Path(checkpoint.session_folder(session_hash))
    folders = [Path(paths.audit_folder()), Path(paths.checkpoint_folder()), folder]
    wanted = [(path, FOLDER_MODE) for path in folders]
    wanted += [(file, FILE_MODE) for file in [*_saved_files(session_hash), *_logs()]]
    for path, mode in wanted:
        if not path.exists():
            return f"{path} is missing"
        if stat.S_IMODE(path.stat().st_mode) != mode:
            return f"{path} has mode {stat.S_IMODE(path.stat().st_mode):04o}"
    return ""


def _saved_files(session_hash: str) -> list[Path]:
    return sorted(Path(checkpoint.session_folder(session_hash)).glob("*"))


def _logs() -> list[Path]:
    return sorted(Path(paths.audit_folder()).glob("*.jsonl"))[-_LOGS_MAX:]


def _rows(session_hash: str) -> Iterator[dict[str, Any]]:
    """Rows of this session in order; an empty one for a line that is no JSON object."""
    for log in _logs():
        for line in log.read_bytes().splitlines():
            if session_hash.encode() in line:
                yield _row_in(line)


def _row_in(line: bytes) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except ValueError:
        return {}
    return row if isinstance(row, dict) else {}
