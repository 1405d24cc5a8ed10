"""One `codex app-server` that is spoken to as the desktop app speaks to it."""

import contextlib
import json
import queue
import subprocess
import threading
from collections.abc import Callable, Iterator

from tests.agents.codex.model_replies import Json
from tests.agents.codex.sandbox import Sandbox
from tests.agents.sandbox import ANSWER_SECONDS_MAX


class Conversation:
    """Waits for the end of each turn before the next one can begin."""

    def __init__(self, process: subprocess.Popen[str], folder: str, client: str) -> None:
        self.process = process
        self._folder = folder
        self._inbox: queue.Queue[Json] = queue.Queue()
        self.events: list[Json] = []
        self._number = 0
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self._request("initialize", clientInfo={"name": client, "version": "1.0"})
        self._send(method="initialized")
        self.thread = ""

    def begin(self) -> None:
        """A new session."""
        self.thread = self._request("thread/start", cwd=self._folder)["thread"]["id"]

    def resume(self, thread: str) -> None:
        """Go on with a session that another process began."""
        self.thread = self._request("thread/resume", threadId=thread)["thread"]["id"]

    def fork(self, thread: str) -> None:
        """A new session that begins with what another one said so far."""
        self.thread = self._request("thread/fork", threadId=thread)["thread"]["id"]

    def say(self, words: str) -> str:
        """One user message; the status of its turn."""
        self._request("turn/start", threadId=self.thread, input=[{"type": "text", "text": words}])
        return self._turn_ended()

    def compact(self) -> str:
        """What `/compact` does; the status of the turn that it is."""
        self._request("thread/compact/start", threadId=self.thread)
        return self._turn_ended()

    def hooks(self) -> list[Json]:
        """Every hook that Codex knows, with its trust."""
        return self._request("hooks/list", cwds=[self._folder])["data"][0]["hooks"]

    def end(self) -> None:
        """Close the input, as a client who is done does."""
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.wait(timeout=ANSWER_SECONDS_MAX)
        self._reader.join()

    def _turn_ended(self) -> str:
        done = self._wait(lambda message: message.get("method") == "turn/completed")
        return done["params"]["turn"]["status"]

    def _request(self, method: str, **parameters: object) -> Json:
        self._number += 1
        number = self._number
        self._send(id=number, method=method, params=parameters)
        answer = self._wait(lambda message: message.get("id") == number)
        return answer["result"]

    def _send(self, **message: object) -> None:
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def _wait(self, is_it: Callable[[Json], bool]) -> Json:
        while not is_it(message := self._inbox.get(timeout=ANSWER_SECONDS_MAX)):
            pass
        return message

    def _read(self) -> None:
        for line in self.process.stdout:
            message = json.loads(line)
            self.events.append(message)
            self._inbox.put(message)


@contextlib.contextmanager
def conversation(sandbox: Sandbox, client: str = "Codex Desktop") -> Iterator[Conversation]:
    """A running server; it is ended on the way out."""
    with sandbox.spoken_to("app-server") as process:
        talk = Conversation(process, str(sandbox.project), client)
        yield talk
        talk.end()
