"""Our own config.json as the hooks read it: where it is missing or broken, it holds nothing."""

import json

from compact_guard.hook import paths
from compact_guard.hook.limits import CONFIG_BYTES_MAX

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BEHAVIOUR = "behaviour"  # settings that change what hooks do; an agent's own below its name
# Options of one agent, off unless the person chose them.
PRESERVE_OPTION = "preserve"  # ask the native summary for a section of its own
NOTICE_OPTION = "notice"  # one line to the person after a compaction


def load() -> "dict[str, Any]":
    """All of it; empty where it cannot be read."""
    try:
        with open(paths.config_file(), "rb") as file:
            config = json.loads(file.read(CONFIG_BYTES_MAX))
    except (OSError, ValueError, RecursionError):
        return {}
    return config if isinstance(config, dict) else {}


def behaviour_of(agent: str, config: "dict[str, Any]") -> "dict[str, Any]":
    """The behaviour settings without those of other agents."""
    behaviour = config.get(BEHAVIOUR)
    if not isinstance(behaviour, dict):
        return {}
    return {
        name: value
        for name, value in behaviour.items()
        if name == agent or not isinstance(value, dict)
    }


def is_on(agent: str, option: str) -> bool:
    """Whether the person chose this option for the agent when they installed the hooks."""
    options = behaviour_of(agent, load()).get(agent)
    return isinstance(options, dict) and options.get(option) is True
