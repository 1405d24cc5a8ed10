"""What the commands need to know of an agent's settings, for type checkers and tests."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Protocol

from compact_guard.install.hook_block import Registration


class HookCommand(Protocol):
    """Gives the shell command that runs our hook for one of our own event names."""

    def __call__(self, event: str) -> str: ...


class SettingsFile(Protocol):
    """What `compact_guard.agents.<tool>.settings` offers; the only place with vendor names."""

    # The agent's name on the command line and in the audit log.
    AGENT: str
    # What the person has to do after a change, one sentence.
    AFTER_CHANGE: str

    def settings_path(self, project: Path | None, environment: Mapping[str, str]) -> Path:
        """The user's settings file, or that of the project folder; it need not exist."""

    def installed_version(self, environment: Mapping[str, str]) -> str | None:
        """The version of the agent on PATH; None if it is not there or does not tell."""

    def registrations(
        self, command: HookCommand, version: str | None, has_notice: bool = False
    ) -> list[Registration]:
        """The hooks to register, without events that this version would not understand.

        `has_notice`: with what the line to the person needs.
        """

    def unwanted(self, event: str, version: str | None) -> str:
        """What an entry of ours does for an event that is not to be registered."""

    def refusal(self, option: str, version: str | None) -> str | None:
        """Why this version cannot do what an option of install asks for; None if it can."""

    def other_places(self, path: Path, environment: Mapping[str, str]) -> Iterator[Path]:
        """Files from which the agent runs hooks in the same sessions as from this one."""

    def warnings(
        self, path: Path, version: str | None, environment: Mapping[str, str]
    ) -> list[str]:
        """Why the hooks may not run although they are installed, one sentence each."""

    def blockers(self, path: Path, environment: Mapping[str, str]) -> list[str]:
        """Those of the warnings that keep every hook from running."""

    def write_rehearsal(self, folder: Path) -> tuple[str, bytes]:
        """Our event name and a payload for one harmless run; its files go into `folder`."""
