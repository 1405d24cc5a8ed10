"""Whatever a transcript holds, it is replayed or told why not: nothing is raised."""

import copy
import json
import random
from typing import Any

import pytest

from compact_guard.replay import session
from tests.replay import heron

JUNK = (None, True, 5, -1.5, "", "x", "\ud800", [], [1], {}, {"a": 1}, [{"text": 5}], [None])
ROUNDS = range(40)


@pytest.fixture(scope="module")
def originals(tmp_path_factory):
    folder = tmp_path_factory.mktemp("originals")
    heron.write(folder)
    return sorted(folder.iterdir())


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every container in a record with each of its keys or indexes."""
    keys = (
        value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    )
    here = [(value, key) for key in keys]
    return here + [place for _, key in here for place in places(value[key])]


@pytest.mark.parametrize("seed", ROUNDS)
def test_other_values_in_any_place(originals, tmp_path, seed):
    chance = random.Random(seed)
    original = chance.choice(originals)
    rows = [json.loads(line) for line in original.read_bytes().splitlines()]
    for row in chance.sample(rows, 12) + [row for row in rows if "compact" in json.dumps(row)]:
        for container, key in chance.sample(places(row), 2):
            container[key] = copy.deepcopy(chance.choice(JUNK))
    path = tmp_path / original.name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))

    file = session.replay(path)

    assert all(boundary.reason != "internal_error" for boundary in file.boundaries)


@pytest.mark.parametrize("seed", ROUNDS)
def test_bytes_lost_doubled_and_garbled(originals, tmp_path, seed):
    chance = random.Random(seed)
    original = chance.choice(originals)
    content = bytearray(original.read_bytes())
    for _ in range(12):
        start = chance.randrange(len(content))
        stop = min(len(content), start + chance.randrange(200))
        match chance.randrange(4):
            case 0:
                del content[start:stop]
            case 1:
                content[start:start] = content[start:stop]
            case 2:
                content[start:stop] = b"\0" * (stop - start)
            case 3:
                content[start:stop] = chance.randbytes(stop - start)
    path = tmp_path / original.name
    path.write_bytes(content)

    file = session.replay(path)

    assert all(boundary.reason != "internal_error" for boundary in file.boundaries)
