"""The namespace of the tests with real agents leads nowhere."""

import json
import subprocess
import sys

import pytest

from tests.agents.isolation import Isolation, loopback_only

pytestmark = pytest.mark.agents

# Reserved for documentation: whoever reached it has a route out.
CONNECT_OUTSIDE = "import socket; socket.create_connection(('192.0.2.1', 443), timeout=5)"


def run(isolation: Isolation, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(isolation.inside(command), capture_output=True, text=True, check=False)


def test_loopback_is_the_only_interface():
    with loopback_only() as isolation:
        links = json.loads(run(isolation, "ip", "-json", "link").stdout)

    assert [link["ifname"] for link in links] == ["lo"]
    assert "UP" in links[0]["flags"]


def test_nothing_outside_can_be_reached():
    with loopback_only() as isolation:
        tried = run(isolation, sys.executable, "-c", CONNECT_OUTSIDE)

    assert tried.returncode == 1
    assert "Network is unreachable" in tried.stderr
