"""The flows, loaded from their files under Prefect's test harness, which takes seconds to start.

It ends with this folder: while it runs, its connection's pings take from the process's random
numbers, in the midst of what property tests draw.
"""

import importlib
import sys

import pytest

from compact_guard import assets, quiet


@pytest.fixture(scope="package")
def flows():
    """Gives the flow of a name."""
    quiet.telemetry_off()
    sys.path.insert(0, str(assets.folder("flows")))
    from prefect.testing.utilities import prefect_test_harness

    with prefect_test_harness(server_startup_timeout=120):
        yield lambda name: getattr(importlib.import_module(name), name)
    sys.path.remove(str(assets.folder("flows")))
