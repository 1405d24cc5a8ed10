"""One `claude -p` process that is spoken to message by message, as an SDK does."""

import contextlib
import json
import queue
import subprocess
import threading
from collections.abc import Iterator

from tests.agents.claude_code.model_replies import Json
from tests.agents.claude_code.sandbox import Sandbox
from tests.agents.sandbox import ANSWER_SECONDS_MAX

STREAM = ("--input-format", "stream-json", "--output-format", "stream-json", "--verbose")


class Conversation:
    """Waits for the result of each message before the next one can be said."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.results: queue.Queue[Json] = queue.Queue()
        self.events: list[Json] = []
        self.session_id = ""
        self._reader = threading.Thread(target=self._read_results, daemon=True)
        self._reader.start()

    def say(self, words: str) -> Json:
        """Send one user message; the `result` object that ends its turn."""
        message = {"type": "user", "message": {"role": "user", "content": words}}
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()
        result = self.results.get(timeout=ANSWER_SECONDS_MAX)
        self.session_id = result["session_id"]
        return result

    def end(self) -> int:
        """Close the input, as a caller who is done does; the exit status."""
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        status = self.process.wait(timeout=ANSWER_SECONDS_MAX)
        self._reader.join()
        return status

    def _read_results(self) -> None:
        for line in self.process.stdout:
            event = json.loads(line)
            self.events.append(event)
            if event["type"] == "result":
                self.results.put(event)


@contextlib.contextmanager
def conversation(sandbox: Sandbox, *arguments: object) -> Iterator[Conversation]:
    """A running conversation; it is ended on the way out and must have exited with 0."""
    with sandbox.spoken_to("-p", *STREAM, *arguments) as process:
        talk = Conversation(process)
        yield talk
        assert talk.end() == 0
