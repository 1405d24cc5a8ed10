"""A Messages API on loopback: answers by rule, and keeps every request it was sent.

    python -m tests.agents.claude_code.model_server FOLDER

Reads FOLDER/rules.json at every request, appends to FOLDER/requests.jsonl, and writes the
port it listens on to FOLDER/port. What it answers is in model_replies.py.
"""

import contextlib
import itertools
import json
import sys
import time
from pathlib import Path

from tests.agents import model_api
from tests.agents.claude_code.model_replies import (
    Json,
    Rules,
    is_subagent,
    kind_of,
    message_for,
    stream_of,
)

_request_ids = itertools.count(1)


class ModelServer(model_api.ModelServer):
    """Answers by the rules as they are at each request."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, Handler)
        self.rules = Rules()

    def reply_to(self, body: Json) -> Json:
        """Choose the reply by the rules as they are now, and keep the request."""
        with self.lock:
            rules = json.loads((self.folder / "rules.json").read_text())
            reply = self.rules.reply_for(rules, body)
            self.keep(
                {
                    "at": time.time(),
                    "kind": kind_of(body),
                    "is_subagent": is_subagent(body),
                    "body": body,
                }
            )
        return reply


class Handler(model_api.Handler):
    server: ModelServer

    def do_HEAD(self) -> None:
        self.send_json(200, {})

    def do_GET(self) -> None:
        self.send_json(404, error("not_found_error", "no such path"))

    def do_POST(self) -> None:
        body = self.body()
        path = self.path.partition("?")[0]
        if path == "/v1/messages/count_tokens":
            self.send_json(200, {"input_tokens": len(json.dumps(body)) // 4})
        elif path == "/v1/messages":
            with contextlib.suppress(ConnectionError):  # an interrupted agent hangs up
                self.answer(body, self.server.reply_to(body))
        else:
            self.send_json(404, error("not_found_error", "no such path"))

    def answer(self, body: Json, reply: Json) -> None:
        time.sleep(reply.get("delay_seconds", 0))
        if "status" in reply:
            self.send_json(reply["status"], error("api_error", reply["error"]))
        elif body.get("stream"):
            self.send_stream(stream_of(message_for(body, reply)))
        else:
            self.send_json(200, message_for(body, reply))

    def own_headers(self) -> dict[str, str]:
        return {"request-id": f"req_canned{next(_request_ids):06d}"}


def error(kind: str, message: str) -> Json:
    return {"type": "error", "error": {"type": kind, "message": message}}


if __name__ == "__main__":
    ModelServer(Path(sys.argv[1])).run()
