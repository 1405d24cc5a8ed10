"""Are the hooks registered so that the agent runs them, and does what they call exist?"""

import os
import re
import shlex
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

from compact_guard.agents import registry
from compact_guard.doctor.findings import Finding
from compact_guard.errors import UsageError
from compact_guard.install import elsewhere, hook_block, hook_command, json_edit, options
from compact_guard.install.hook_block import Entry, Registration
from compact_guard.install.settings_file import SettingsFile


class Settings(NamedTuple):
    """A settings file and our entries in it; `content` None: there is no file."""

    path: Path
    content: bytes | None
    ours: list[Entry]


def read(agent: SettingsFile, path: Path) -> Settings:
    """Raises UsageError, naming the place and the mend, where the file cannot be read."""
    try:
        content = path.read_bytes()
        entries = hook_block.entries(content.decode("utf-8-sig")) if content.strip() else []
    except FileNotFoundError:
        return Settings(path, None, [])
    except json_edit.JsonProblem as problem:
        place = f"{path}, line {problem.line}, column {problem.column}"
        raise UsageError(f"{place}: {problem.complaint}. {problem.mend}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read ({error})") from None
    return Settings(path, content, [entry for entry in entries if entry.is_ours])


def findings(
    agent: SettingsFile, settings: Settings, environment: Mapping[str, str]
) -> list[Finding]:
    """What is wrong with the entries; one trial run of the hook if nothing is."""
    version = agent.installed_version(environment)
    call = partial(hook_command.command_line, agent.AGENT)
    wanted = agent.registrations(call, version, options.of(agent.AGENT).notice)
    found = [each for registration in wanted for each in _of_event(agent, settings, registration)]
    found += _unwanted(agent, settings, wanted, version)
    for command in dict.fromkeys(entry.command for entry in settings.ours):
        found += _of_command(agent, settings.path, command)
    for sentence in agent.blockers(settings.path, environment):
        found.append(Finding(agent.AGENT, "switched_off", sentence, "remove that switch"))
    approval = registry.approval_of(agent.AGENT)
    if approval is not None and settings.content is not None:
        for problem, mend in approval.complaints(settings.path, settings.content, environment):
            found.append(Finding(agent.AGENT, "approval", problem, mend))
    found += _of_elsewhere(agent, settings, environment)
    return found or _of_trial(agent)


def _of_event(agent: SettingsFile, settings: Settings, wanted: Registration) -> Iterator[Finding]:
    there = [entry for entry in settings.ours if entry.event == wanted.event]
    again = f"run `compact-guard install {agent.AGENT}`"
    if not there:
        problem = f"{settings.path} has no entry of ours for {wanted.event}"
        yield Finding(agent.AGENT, "entry", problem, again)
    if len(there) > 1:
        problem = f"{settings.path} has {len(there)} entries of ours for {wanted.event}"
        yield Finding(agent.AGENT, "entry", problem, again)
    for entry in there:
        if lost := _not_covered(entry.matcher, wanted.matcher):
            problem = f"the matcher {entry.matcher!r} of {wanted.event} leaves out {lost}"
            yield Finding(agent.AGENT, "matcher", problem, again)


def _unwanted(
    agent: SettingsFile, settings: Settings, wanted: list[Registration], version: str | None
) -> Iterator[Finding]:
    """Entries of ours that install would not write for this version and these options."""
    events = {registration.event for registration in wanted}
    for event in dict.fromkeys(entry.event for entry in settings.ours):
        if event not in events:
            problem = f"{settings.path}: {agent.unwanted(event, version)}"
            mend = f"run `compact-guard install {agent.AGENT}`"
            yield Finding(agent.AGENT, "unwanted_entry", problem, mend)


def _of_elsewhere(
    agent: SettingsFile, settings: Settings, environment: Mapping[str, str]
) -> Iterator[Finding]:
    for file in elsewhere.places(agent, settings.path, environment):
        mend = elsewhere.mend(agent, file, environment)
        yield Finding(agent.AGENT, "registered_twice", elsewhere.told(file), mend)


def _not_covered(matcher: str | None, wanted: str | None) -> str:
    """What the wanted matcher takes and this one does not, "" if it takes all of it."""
    if matcher in (None, "", "*"):
        return ""
    if wanted is None:
        return "some compactions"
    assert matcher is not None
    try:
        lost = [kind for kind in wanted.split("|") if not re.fullmatch(matcher, kind)]
    except re.error:
        return wanted
    return ", ".join(lost)


def _of_command(agent: SettingsFile, path: Path, command: str) -> Iterator[Finding]:
    again = f"run `compact-guard install {agent.AGENT}` again"
    try:
        words = shlex.split(command, posix=os.name != "nt")
    except ValueError:
        words = []
    scripts = [Path(word) for word in words if word.endswith("hook/__main__.py")]
    if not scripts:
        problem = f"{path} calls our hook in a way that is not ours: {command}"
        yield Finding(agent.AGENT, "command", problem, again)
        return
    interpreter, script = Path(words[0]), scripts[0]
    if not os.access(interpreter, os.X_OK) or interpreter.is_dir():
        problem = f"the interpreter {interpreter} is gone, so the hook does nothing"
        yield Finding(agent.AGENT, "interpreter", problem, again)
    if not script.is_file():
        problem = f"the hook {script} is gone, so nothing is saved or given back"
        yield Finding(agent.AGENT, "code", problem, again)
    elif script.resolve() != hook_command.ENTRY_POINT:
        problem = f"{path} runs another installation: {script}, not {hook_command.ENTRY_POINT}"
        yield Finding(agent.AGENT, "other_installation", problem, again)


def _of_trial(agent: SettingsFile) -> list[Finding]:
    try:
        hook_command.rehearse(agent)
    except UsageError as error:
        return [Finding(agent.AGENT, "trial", str(error), "mend that, then run this again")]
    return []
