"""A large package comes without what a gate never asks of it, and nothing is missing later."""

import gc
import subprocess
import sys
import threading
from importlib.util import find_spec

import pytest

from compact_guard.evaluator import sparing_import

LATER, ABSENT = frozenset({"colorsys"}), frozenset({"netrc"})

GATE = """
import sys
from compact_guard.evaluator.gate_validator import Validator
Validator()
assert not [name for name in sys.modules if name.startswith(("altair.", "scipy.stats."))]
import altair, scipy.stats, sqlalchemy
assert scipy.stats.norm.cdf(0) == 0.5
assert altair.Chart().to_dict and sqlalchemy.create_engine
"""


@pytest.fixture
def fresh(monkeypatch):
    """Neither module is loaded, before and afterwards."""
    for name in LATER | ABSENT:
        monkeypatch.setitem(sys.modules, name, None)
        monkeypatch.delitem(sys.modules, name)


@pytest.mark.slow
def test_a_gate_spares_statistics_charts_and_databases_and_they_can_be_had_afterwards():
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", GATE], capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stderr) == (0, "")


def test_what_is_for_later_loads_at_its_first_use(fresh):
    with sparing_import.spared(LATER, ABSENT):
        import colorsys

        names = object.__getattribute__(colorsys, "__dict__")
        assert "rgb_to_hsv" not in names

    assert colorsys.rgb_to_hsv(0, 0, 0) == (0.0, 0.0, 0)


def test_what_is_absent_is_there_again_afterwards(fresh):
    with sparing_import.spared(LATER, ABSENT), pytest.raises(ModuleNotFoundError, match="netrc"):
        import netrc

    import netrc

    assert netrc.netrc


def test_other_threads_import_as_ever(fresh):
    found = []
    with sparing_import.spared(LATER, ABSENT):
        other = threading.Thread(target=lambda: found.append(find_spec("netrc")))
        other.start()
        other.join()

    assert found[0] is not None


def test_garbage_is_collected_again_though_the_import_fails(fresh):
    with pytest.raises(ModuleNotFoundError), sparing_import.spared(LATER, ABSENT):
        import_fails_without_collecting()

    assert gc.isenabled()


def import_fails_without_collecting():
    assert not gc.isenabled()
    import netrc  # noqa: F401


def test_what_was_loaded_stays_and_is_not_searched_for_garbage_again(fresh):
    gc.unfreeze()
    with sparing_import.spared(LATER, ABSENT):
        pass
    assert gc.get_freeze_count() == 0

    with sparing_import.spared(LATER, ABSENT):
        import colorsys  # noqa: F401

    assert gc.get_freeze_count() > 0
    gc.unfreeze()
