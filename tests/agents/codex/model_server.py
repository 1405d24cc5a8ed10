"""A Responses API on loopback: answers by the plans in the prompts, and keeps every request.

    python -m tests.agents.codex.model_server FOLDER

Appends to FOLDER/requests.jsonl and writes the port it listens on to FOLDER/port.
"""

import contextlib
import itertools
import sys
from pathlib import Path

from tests.agents import model_api
from tests.agents.codex.model_replies import Json, Progress, is_compaction, stream_of


class ModelServer(model_api.ModelServer):
    """Answers by the plan in the prompt, as far as it has been carried out."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, Handler)
        self.progress = Progress()
        self.numbers = itertools.count(1)

    def take(self, body: Json) -> int:
        """Keep the request; its number."""
        with self.lock:
            self.keep({"is_compaction": is_compaction(body), "body": body})
            return next(self.numbers)


class Handler(model_api.Handler):
    server: ModelServer

    def do_GET(self) -> None:
        is_list = self.path.partition("?")[0].endswith("/models")
        self.send_json(200 if is_list else 404, {"models": [], "object": "list", "data": []})

    def do_POST(self) -> None:
        body = self.body()
        number = self.server.take(body)
        status, item, tokens = self.server.progress.reply_to(body, number)
        with contextlib.suppress(ConnectionError):  # an interrupted agent hangs up
            if status == 200:
                self.send_stream(stream_of(item, tokens, number))
            else:
                self.send_json(status, {"error": {"message": "canned", "type": "server_error"}})


if __name__ == "__main__":
    ModelServer(Path(sys.argv[1])).run()
