"""What is new in a study of the window: its verdict. Told once, and remembered."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from compact_guard import progress, toml_file
from compact_guard.operate import channels, notify, window_standing
from compact_guard.operate.channels import Channels
from compact_guard.operate.news import News
from compact_guard.operate.window_standing import WindowStanding

VERDICT_CHANGED = "compact-guard.window.verdict.changed"
SUBJECT = "window"

# A window that nobody has studied yet is under observation.
_AT_FIRST = "OBSERVE"


def channels_of(policy: Path | None) -> Channels:
    """Whom the `[notify]` table of a study's policy wants told; raises UsageError."""
    return channels.of(toml_file.read(policy, "policy")) if policy else Channels()


def tell(
    answer: dict[str, Any], report: Path, paths: tuple[Path, ...], whom: Channels
) -> tuple[News, ...]:
    """Tell a verdict that changed, and remember it; what could not be told is told next time."""
    file = window_standing.file_of(paths)
    last = window_standing.read(file)
    told = last.told if last else _AT_FIRST
    found = _news(answer, told)
    complaints = [complaint for one in found for complaint in notify.tell(one, whom)]
    for complaint in complaints:
        progress.warn(complaint)
    _remember(file, answer, report, told if complaints else str(answer["verdict"]))
    return found


def _news(answer: dict[str, Any], told: str) -> tuple[News, ...]:
    verdict = str(answer["verdict"])
    if verdict == told:
        return ()
    text = f"{SUBJECT}: {told} became {verdict}: {'; '.join(answer['reasons'])}"
    return (News(VERDICT_CHANGED, SUBJECT, None, verdict, text, SUBJECT, verdict),)


def _remember(file: Path, answer: dict[str, Any], report: Path, told: str) -> None:
    now = datetime.now(UTC).replace(tzinfo=None)
    reasons = tuple(answer["reasons"])
    standing = WindowStanding(now, answer["verdict"], reasons, str(report.resolve()), told)
    try:
        window_standing.write(file, standing)
    except OSError as error:
        progress.warn(f"what is new could not be remembered, it may be told again: {error}")
