"""A Messages API on loopback: answers by rule, and keeps every request it was sent.

    python -m tests.agents.claude_code.model_server FOLDER

Reads FOLDER/rules.json at every request, appends to FOLDER/requests.jsonl, and writes the
port it listens on to FOLDER/port. What it answers is in model_replies.py.
"""

import contextlib
import itertools
import json
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from tests.agents.claude_code.model_replies import (
    Json,
    Rules,
    is_subagent,
    kind_of,
    message_for,
    stream_of,
)

_request_ids = itertools.count(1)


class ModelServer(ThreadingHTTPServer):
    """Listens on a free port of its own; one thread per request."""

    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.folder = folder
        self.rules = Rules()
        self.lock = threading.Lock()

    def reply_to(self, body: Json) -> Json:
        """Choose the reply by the rules as they are now, and keep the request."""
        with self.lock:
            rules = json.loads((self.folder / "rules.json").read_text())
            reply = self.rules.reply_for(rules, body)
            kept = {
                "at": time.time(),
                "kind": kind_of(body),
                "is_subagent": is_subagent(body),
                "body": body,
            }
            with (self.folder / "requests.jsonl").open("a") as requests:
                requests.write(json.dumps(kept) + "\n")
        return reply


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: ModelServer

    def log_message(self, *_: object) -> None:
        """Quiet: the requests are kept whole."""

    def do_HEAD(self) -> None:
        self.send_json(200, {})

    def do_GET(self) -> None:
        self.send_json(404, error("not_found_error", "no such path"))

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(length) or b"{}")
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
            self.send_stream(message_for(body, reply))
        else:
            self.send_json(200, message_for(body, reply))

    def send_json(self, status: int, payload: Json) -> None:
        content = json.dumps(payload).encode()
        self.send_head(status, "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def send_stream(self, message: Json) -> None:
        self.close_connection = True
        self.send_head(200, "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for event in stream_of(message):
            self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())

    def send_head(self, status: int, content_type: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("request-id", f"req_canned{next(_request_ids):06d}")


def error(kind: str, message: str) -> Json:
    return {"type": "error", "error": {"type": kind, "message": message}}


def main(folder: Path) -> None:
    server = ModelServer(folder)
    unfinished = folder / "port.tmp"
    unfinished.write_text(str(server.server_port))
    unfinished.rename(folder / "port")
    server.serve_forever()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
