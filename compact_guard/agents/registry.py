"""Which agents the commands know: the one list, hand-written so that it can be searched."""

from compact_guard.install import SettingsFile

AGENTS = ("claude-code",)


def settings_of(agent: str) -> SettingsFile:
    """The module that knows the agent's settings file; raises ValueError for an unknown agent."""
    match agent:
        case "claude-code":
            from compact_guard.agents.claude_code import settings
        case _:
            raise ValueError(f"unknown agent {agent!r}")
    return settings
