"""Service definitions for `compact-guard serve`: a systemd user unit, a launchd agent."""

import plistlib
from collections.abc import Mapping, Sequence

LABEL = "compact-guard"

_SYSTEMD = """\
# Save as ~/.config/systemd/user/{label}.service, then:
#   systemctl --user daemon-reload && systemctl --user enable --now {label}
# To have it run while you are logged out, too: loginctl enable-linger
[Unit]
Description=compact-guard: a verdict on the guard every night

[Service]
ExecStart={command}
{environment}Restart=on-failure
RestartSec=60

[Install]
WantedBy=default.target
"""


def systemd(command: Sequence[str], environment: Mapping[str, str]) -> str:
    """A user unit that runs `command`, and again a minute after it failed."""
    lines = "".join(
        f"Environment={_quoted(f'{name}={value}')}\n" for name, value in environment.items()
    )
    words = " ".join(_quoted(word.replace("$", "$$")) for word in command)
    return _SYSTEMD.format(label=LABEL, command=words, environment=lines)


def launchd(command: Sequence[str], environment: Mapping[str, str]) -> str:
    """An agent for ~/Library/LaunchAgents that runs `command`, and again when it failed."""
    agent: dict[str, object] = {
        "Label": LABEL,
        "ProgramArguments": list(command),
        "RunAtLoad": True,
        "KeepAlive": {"SuccessfulExit": False},
        "ThrottleInterval": 60,
    }
    if environment:
        agent["EnvironmentVariables"] = dict(environment)
    return plistlib.dumps(agent, sort_keys=False).decode()


def _quoted(word: str) -> str:
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return f'"{escaped}"'
