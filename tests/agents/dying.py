"""What both agents' tests of hooks that die need."""

import json
from pathlib import Path

from tests.agents import needs

DIES = (
    "import os; from compact_guard.hook import delivery, run;"
    "delivery._mark_used = lambda _: os.kill(os.getpid(), 9);"
    "run.main([{agent!r}, 'session_start'])"
)


def let_the_start_die_behind_its_print(settings: Path, agent: str) -> str:
    """Our SessionStart hook prints its text and is killed; what the settings held before."""
    before = settings.read_text()
    content = json.loads(before)
    (entry,) = content["hooks"]["SessionStart"][0]["hooks"]
    python = entry["command"].partition(" -I ")[0]
    entry["command"] = f'PYTHONPATH="{needs.CHECKOUT}" {python} -c "{DIES.format(agent=agent)}"'
    settings.write_text(json.dumps(content))
    return before
