"""What both agents' tests of over-long hook output need."""

import json
import shlex
import sys
from pathlib import Path

from tests.agents import needs

PADDING = needs.HERE / "padding.py"


def let_the_text_be_too_long(settings: Path) -> None:
    """Pad what our SessionStart hook prints, before the agent reads it."""
    content = json.loads(settings.read_text())
    (entry,) = content["hooks"]["SessionStart"][0]["hooks"]
    pad = shlex.join([sys.executable, str(PADDING)])
    entry["command"] = f"({entry['command']}) | {pad}"
    settings.write_text(json.dumps(content))
