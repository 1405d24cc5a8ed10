"""Which agents the commands know: the one list, hand-written so that it can be searched."""

from typing import Protocol, TypeVar

from compact_guard.agents.contract import (
    Approval,
    Compactions,
    Interfaces,
    Sessions,
    Spills,
    Stage,
    WindowRestore,
    WindowSettings,
)
from compact_guard.install.settings_file import SettingsFile

AGENTS = ("claude-code", "codex")


class _Module(Protocol):
    AGENT: str


_Kind = TypeVar("_Kind", bound=_Module)


def settings_of(agent: str) -> SettingsFile:
    """The module that knows the agent's settings file; raises ValueError for an unknown agent."""
    from compact_guard.agents.claude_code import settings as claude_code
    from compact_guard.agents.codex import settings as codex

    modules: tuple[SettingsFile, ...] = (claude_code, codex)
    return _of(agent, modules)


def approval_of(agent: str) -> Approval | None:
    """The module that records approvals of hooks, None for an agent that asks for none."""
    if agent == "codex":
        from compact_guard.agents.codex import trust

        return trust
    return None


def interface_words(interface: str) -> str | None:
    """What an interface's name means, in words; None for one that no agent of ours has."""
    from compact_guard.agents.claude_code import interfaces as claude_code
    from compact_guard.agents.codex import interfaces as codex

    modules: tuple[Interfaces, ...] = (claude_code, codex)
    named = {name: words for module in modules for name, words in module.INTERFACES.items()}
    return named.get(interface)


def sessions() -> tuple[Sessions, ...]:
    """The modules that know where each agent keeps its transcripts."""
    from compact_guard.agents.claude_code import sessions as claude_code
    from compact_guard.agents.codex import sessions as codex

    return claude_code, codex


def sessions_of(agent: str) -> Sessions:
    """The module that knows the agent's transcripts; raises ValueError for an unknown agent."""
    return _of(agent, sessions())


def compactions() -> tuple[Compactions, ...]:
    """The modules that read around boundaries, the one with the narrower mark first."""
    from compact_guard.agents.claude_code import compaction as claude_code
    from compact_guard.agents.codex import compaction as codex

    return codex, claude_code


def stage_of(agent: str) -> Stage:
    """The module that stages a compaction; raises ValueError for an unknown agent."""
    from compact_guard.agents.claude_code import stage as claude_code
    from compact_guard.agents.codex import stage as codex

    modules: tuple[Stage, ...] = (claude_code, codex)
    return _of(agent, modules)


def spills() -> tuple[Spills, ...]:
    """The modules that know where each agent leaves over-long hook output."""
    from compact_guard.agents.claude_code import spills as claude_code
    from compact_guard.agents.codex import spills as codex

    return claude_code, codex


def window_settings() -> tuple[WindowSettings, ...]:
    """The modules that know which window each agent was told to use."""
    from compact_guard.agents.claude_code import window_settings as claude_code
    from compact_guard.agents.codex import window_settings as codex

    return claude_code, codex


def window_settings_of(agent: str) -> WindowSettings:
    """The module that knows the agent's window; raises ValueError for an unknown agent."""
    return _of(agent, window_settings())


def window_restore_of(agent: str) -> WindowRestore:
    """The module that undoes a change of window; raises ValueError for an unknown agent."""
    from compact_guard.agents.claude_code import window_restore as claude_code
    from compact_guard.agents.codex import window_restore as codex

    modules: tuple[WindowRestore, ...] = (claude_code, codex)
    return _of(agent, modules)


def _of(agent: str, modules: tuple[_Kind, ...]) -> _Kind:
    for module in modules:
        if agent == module.AGENT:
            return module
    raise ValueError(f"unknown agent {agent!r}")
