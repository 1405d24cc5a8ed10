"""A log to grow and to judge, and somebody who listens."""

import http.server
import json
import threading

import pytest

from tests.operate.stories import Log


@pytest.fixture
def log(tmp_path):
    return Log(tmp_path)


@pytest.fixture
def listener():
    """An HTTP server on loopback; `heard` are the bodies, `status` what it answers."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            heard = self.rfile.read(int(self.headers["Content-Length"]))
            self.server.heard.append((self.path, json.loads(heard)))
            self.send_response(self.server.status)
            self.send_header("Location", "/elsewhere")
            self.end_headers()

        do_GET = do_POST

        def log_message(self, *_):
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    server.heard, server.status = [], 204
    server.address = f"http://127.0.0.1:{server.server_port}/hook"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()
