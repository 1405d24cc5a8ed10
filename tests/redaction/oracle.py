"""gitleaks, a scanner that we did not write: whatever it finds in what we keep is a bug of ours.

It reads every file of a folder, offline, with its own rules.
"""

import json
import os
import subprocess
import sysconfig
from pathlib import Path

BINARY = Path(sysconfig.get_path("scripts")) / ("gitleaks.exe" if os.name == "nt" else "gitleaks")


def findings(folder: Path, reports: Path) -> list[str]:
    """`rule in file:line` for each finding below `folder`; the report is written to `reports`."""
    report = reports / "gitleaks.json"
    done = subprocess.run(
        [BINARY, "dir", folder, "--no-banner", "--redact", "--ignore-gitleaks-allow",
         "--report-format", "json", "--report-path", report, "--exit-code", "3"],
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    if done.returncode not in (0, 3):
        raise RuntimeError(f"gitleaks did not run: {done.stderr}")
    rows = json.loads(report.read_text("utf-8"))
    return [f"{row['RuleID']} in {Path(row['File']).name}:{row['StartLine']}" for row in rows]
