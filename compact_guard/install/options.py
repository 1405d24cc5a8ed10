"""What a person may choose beside the hooks: kept in config.json, where the hooks look it up."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from compact_guard.errors import UsageError
from compact_guard.hook import configuration, paths
from compact_guard.install import safe_file
from compact_guard.install.settings_file import SettingsFile

_TOLD = {
    configuration.PRESERVE_OPTION: "the agent's summary is asked for rejected alternatives",
    configuration.NOTICE_OPTION: "one line tells you of each compaction",
}


@dataclass(frozen=True)
class Options:
    """Off unless chosen; each is part of the guard's fingerprint."""

    preserve: bool = False
    notice: bool = False

    def names(self) -> list[str]:
        """Of those that are on."""
        return [name for name, is_on in asdict(self).items() if is_on]

    def told(self) -> list[str]:
        """What is on, one line each."""
        return [f"--{name}: {_TOLD[name]}" for name in self.names()]


def of(agent: str) -> Options:
    """As the hooks of this agent see them."""
    return Options(**{name: configuration.is_on(agent, name) for name in _TOLD})


def chosen(agent: SettingsFile, version: str | None, given: Mapping[str, bool | None]) -> Options:
    """Those in force, changed by what was given (None: left alone).

    Raises UsageError where the agent, or this version of it, cannot do what was asked for.
    """
    for name, is_on in given.items():
        refusal = agent.refusal(name, version) if is_on else None
        if refusal is not None:
            raise UsageError(f"--{name}: {refusal}")
    changes = {name: is_on for name, is_on in given.items() if is_on is not None}
    return replace(of(agent.AGENT), **changes)


def store(agent: str, options: Options) -> None:
    """Change our config.json; raises OSError, UsageError for one that holds no settings."""
    if options == of(agent):
        return
    path = Path(paths.config_file())
    try:
        config = json.loads(path.read_bytes())
        behaviour = dict(config.get(configuration.BEHAVIOUR, {}))
    except (ValueError, TypeError, AttributeError) as error:
        raise UsageError(f"{path}: not a JSON object of settings: mend or delete it") from error
    behaviour.pop(agent, None)
    # What is off is not written: taken back, an option leaves the fingerprint as it was before.
    if options.names():
        behaviour[agent] = dict.fromkeys(options.names(), True)
    config[configuration.BEHAVIOUR] = behaviour
    safe_file.write_private(path, json.dumps(config).encode() + b"\n")
