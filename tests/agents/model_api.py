"""A model's API on loopback: what the servers of both agents have in common."""

import json
import threading
from collections.abc import Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

Json = dict[str, Any]


class ModelServer(ThreadingHTTPServer):
    """Listens on a free port of its own; one thread per request."""

    daemon_threads = True

    def __init__(self, folder: Path, handler: type["Handler"]) -> None:
        super().__init__(("127.0.0.1", 0), handler)
        self.folder = folder
        self.lock = threading.Lock()

    def keep(self, request: Json) -> None:
        """Append it to FOLDER/requests.jsonl; for whoever holds the lock."""
        with (self.folder / "requests.jsonl").open("a") as requests:
            requests.write(json.dumps(request) + "\n")

    def run(self) -> None:
        """Write the port to FOLDER/port and answer for ever."""
        unfinished = self.folder / "port.tmp"
        unfinished.write_text(str(self.server_port))
        unfinished.rename(self.folder / "port")
        self.serve_forever()


class Handler(BaseHTTPRequestHandler):
    """Reads JSON, answers with JSON or with a stream of server-sent events."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        """Quiet: the requests are kept whole."""

    def body(self) -> Json:
        return json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")

    def send_json(self, status: int, payload: Json) -> None:
        content = json.dumps(payload).encode()
        self._send_head(status, "application/json", {"Content-Length": str(len(content))})
        if self.command != "HEAD":
            self.wfile.write(content)

    def send_stream(self, events: Iterable[Json]) -> None:
        self.close_connection = True
        self._send_head(200, "text/event-stream", {"Connection": "close"})
        for event in events:
            self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())

    def own_headers(self) -> dict[str, str]:
        """What the API sends besides."""
        return {}

    def _send_head(self, status: int, content_type: str, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in ({"Content-Type": content_type} | headers | self.own_headers()).items():
            self.send_header(name, value)
        self.end_headers()
