"""Claude Code's terminal interface in a private tmux, typed into and read from as a person does."""

import contextlib
import re
import shlex
import subprocess
from collections.abc import Iterator

from tests.agents.claude_code.sandbox import Sandbox
from tests.agents.sandbox import wait_until


class Terminal:
    """One tmux server with one window; it lives in the sandbox's namespace."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self.socket = sandbox.root / "tmux"

    def start(self) -> None:
        environment = shlex.join(f"{k}={v}" for k, v in self.sandbox.agent_environment().items())
        agent = f"exec env -i {environment} {shlex.join(self.sandbox.agent())}"
        where = ("-c", str(self.sandbox.project), "-x", "150", "-y", "50")
        self.tmux("-f", "/dev/null", "new-session", "-d", "-s", "agent", *where, agent)
        self.wait_for("❯")

    def tmux(self, *arguments: str) -> str:
        command = self.sandbox.isolation.inside(["tmux", "-S", self.socket, *arguments])
        return subprocess.run(command, text=True, capture_output=True, check=False).stdout

    def screen(self) -> str:
        return self.tmux("capture-pane", "-p", "-t", "agent", "-S", "-500")

    def wait_for(self, pattern: str) -> None:
        """Until the pattern (dot matches line ends) is found on the screen or above it."""
        sought = re.compile(pattern, re.DOTALL)
        wait_until(lambda: sought.search(self.screen()), f"{pattern!r} shown", explain=self.screen)

    def type(self, line: str) -> None:
        """Type a line, see it arrive in the input box, press Enter."""
        self.tmux("send-keys", "-t", "agent", "-l", line)
        self.wait_for(r"❯\s" + re.escape(line))
        self.key("Enter")

    def key(self, name: str) -> None:
        self.tmux("send-keys", "-t", "agent", name)

    def leave(self) -> None:
        """`/exit`, then wait until the agent has written everything and is gone."""
        self.type("/exit")
        wait_until(lambda: not self.tmux("list-sessions"), "end of the agent", explain=self.screen)


@contextlib.contextmanager
def terminal(sandbox: Sandbox) -> Iterator[Terminal]:
    """A running terminal interface; killed if the test did not `leave` it."""
    window = Terminal(sandbox)
    window.start()
    try:
        yield window
    finally:
        window.tmux("kill-server")
