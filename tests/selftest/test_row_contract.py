"""The base install's reading of the contract, against a schema library's."""

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compact_guard.hook import audit
from compact_guard.selftest import row_contract
from tests.hook.conftest import VALIDATOR

CONTRACT = row_contract.load()
HASH = "a" * 64


def row_of(event: str, outcome: str) -> dict:
    row = audit.new_row("claude-code", "claude-code/anthropic", event, True)
    row |= {"recorded_at": "2026-11-30T00:00:00.000Z", "guard_fingerprint": HASH}
    return row | {"outcome": outcome, "source": "compact", "checkpoint_hash": HASH}


ROWS = [
    row_of("pre_compact", "saved"),
    row_of("session_start", "injected"),
    row_of("post_compact", "recorded"),
]
OUTCOMES = CONTRACT["properties"]["outcome"]["enum"]
COUNTS = [{}, {"bytes": 1}, {"bytes": -1}, {"bytes": None}, {"bytes": True}, {"odd": 1}]
PLAIN = [None, True, False, 0, -1, 1.0, 1.5, "", "x", HASH, [], "compact", "auto"]
ODD = st.sampled_from([*PLAIN, *COUNTS, *OUTCOMES])


@pytest.mark.parametrize("row", ROWS)
def test_rows_of_the_hook_keep_it(row):
    assert row_contract.complaint(row, CONTRACT) == ""


@given(
    row=st.sampled_from(ROWS),
    changes=st.dictionaries(st.sampled_from(sorted(CONTRACT["properties"])), ODD, max_size=2),
    removed=st.sets(st.sampled_from(sorted(CONTRACT["properties"])), max_size=1),
)
def test_it_judges_as_the_library_does(row, changes, removed):
    changed = {key: value for key, value in (row | changes).items() if key not in removed}

    complaint = row_contract.complaint(changed, CONTRACT)
    assert (complaint == "") is VALIDATOR.is_valid(changed), complaint


@pytest.mark.parametrize("value", [None, [], "row", 3])
def test_what_is_no_object_is_no_row(value):
    assert row_contract.complaint(value, CONTRACT)


def test_a_contract_with_a_keyword_that_is_not_known_is_refused():
    stricter = copy.deepcopy(CONTRACT)
    stricter["properties"]["outcome"]["maxLength"] = 3

    with pytest.raises(ValueError, match="maxLength"):
        row_contract.complaint(json.loads(json.dumps(ROWS[0])), stricter)
