"""Every test gets a home of its own, none of this machine's settings, and no network.

Properties are tried with the same examples everywhere, however long a loaded machine takes.
"""

import os
import socket

import hypothesis
import pytest

hypothesis.settings.register_profile(
    "steady",
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("steady")

OURS_AND_THE_AGENTS = ("COMPACT_GUARD_", "CLAUDE", "ANTHROPIC_", "XDG_", "PREFECT_", "GX_")
TERMINAL = ("NO_COLOR", "FORCE_COLOR", "COLUMNS")
KEPT = ("COMPACT_GUARD_AGENTS_CACHE", "COMPACT_GUARD_SHARED")  # what `make` and CI lay ready
LOOPBACK = ("127.0.0.1", "::1", "localhost")
SERVERS = (
    "tests/operate/test_with_a_server",
    "tests/flows/",
)  # modules that share one, and take longest


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """A module runs in one worker, and so do all that share a server.

    `--dist loadgroup` would do that, but loses its groups under pytest 9.2 (pytest-xdist 1386).
    """
    from xdist.scheduler import LoadScopeScheduling

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            shared = (server for server in SERVERS if nodeid.startswith(server))
            return next(shared, nodeid.partition("::")[0])

    config.option.loadscopereorder = False
    return Scheduling(config, log)


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: not item.nodeid.startswith(SERVERS))


@pytest.fixture(scope="session", autouse=True)
def a_bare_environment(tmp_path_factory):
    """For what is set up once for many tests, and for what libraries read when imported."""
    with pytest.MonkeyPatch.context() as patch:
        for name in os.environ:
            if name.startswith(OURS_AND_THE_AGENTS) and name not in KEPT:
                patch.delenv(name)
        for name in TERMINAL:
            patch.delenv(name, raising=False)
        patch.setenv("HOME", str(tmp_path_factory.mktemp("home")))
        yield


@pytest.fixture(autouse=True)
def a_home_of_its_own(tmp_path_factory, monkeypatch):
    """All that we write lies below HOME, as long as nobody says otherwise."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    return home


@pytest.fixture(autouse=True)
def no_network(monkeypatch):
    """Loopback and local sockets only; a test that asks for more fails where it asks."""
    for name in ("connect", "connect_ex"):
        monkeypatch.setattr(socket.socket, name, _near_only(getattr(socket.socket, name)))


def _near_only(connect):
    def guarded(self, address):
        if self.family != socket.AF_UNIX and address[0] not in LOOPBACK:
            raise RuntimeError(f"a test reached for the network: {address}")
        return connect(self, address)

    return guarded
