"""A Responses API on loopback: answers by the plans in the prompts, and keeps every request.

    python -m tests.agents.codex.model_server FOLDER

Appends to FOLDER/requests.jsonl and writes the port it listens on to FOLDER/port.
"""

import contextlib
import itertools
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from tests.agents.codex.model_replies import Json, Progress, is_compaction, stream_of


class ModelServer(ThreadingHTTPServer):
    """Listens on a free port of its own; one thread per request."""

    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.folder = folder
        self.progress = Progress()
        self.numbers = itertools.count(1)
        self.lock = threading.Lock()

    def keep(self, body: Json) -> int:
        """Keep the request; its number."""
        with self.lock, (self.folder / "requests.jsonl").open("a") as requests:
            requests.write(json.dumps({"is_compaction": is_compaction(body), "body": body}) + "\n")
            return next(self.numbers)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: ModelServer

    def log_message(self, *_: object) -> None:
        """Quiet: the requests are kept whole."""

    def do_GET(self) -> None:
        is_list = self.path.partition("?")[0].endswith("/models")
        self.send_json(200 if is_list else 404, {"models": [], "object": "list", "data": []})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)))
        number = self.server.keep(body)
        status, item, tokens = self.server.progress.reply_to(body, number)
        with contextlib.suppress(ConnectionError):  # an interrupted agent hangs up
            if status == 200:
                self.send_stream(item, tokens, number)
            else:
                self.send_json(status, {"error": {"message": "canned", "type": "server_error"}})

    def send_json(self, status: int, payload: Json) -> None:
        content = json.dumps(payload).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def send_stream(self, item: Json, tokens: int, number: int) -> None:
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for event in stream_of(item, tokens, number):
            self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())


def main(folder: Path) -> None:
    server = ModelServer(folder)
    unfinished = folder / "port.tmp"
    unfinished.write_text(str(server.server_port))
    unfinished.rename(folder / "port")
    server.serve_forever()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
