"""Rules are spared a text whose words hold no anchor of theirs; that may hide nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compact_guard.hook import (
    redaction,
    redaction_anchors,
    redaction_rules,
)
from tests.hook.test_redaction_mechanisms import HALVES, PAIRS, records

FAMILIES = redaction_rules._FAMILIES
TABLE = ((("op read", "pwgen"), "first"), (("AKIA",), "second"), ((" -p", "://"), "third"))
ANCHORS = [anchor for anchors, _ in TABLE for anchor in anchors]
SECRETS = [pair.translate(str.maketrans("", "", "⟦⟧")) for pair, _ in PAIRS.values()]
TALK = [
    "now run the tests again",
    "the handler reads a column, then ok",
    *(twin for _, twin in PAIRS.values()),
]
PIECES = st.sampled_from([*ANCHORS, "op", "read", "a", "İ", "Σ", " ", "\t", "\u2003", "\n", "x-"])
TEXTS = st.lists(PIECES, max_size=12).map("".join)


class Asked(redaction_anchors.Anchors):
    """All anchors, and which of them somebody asked for."""

    def __init__(self):
        super().__init__()
        self.anchors = set()

    def rules(self, table):
        self.anchors.update(anchor for anchors, *_ in table for anchor in anchors)
        return super().rules(table)

    def words(self, constant):
        self.anchors.update(constant)
        return super().words(constant)


def vocabulary(*texts: str, telling=lambda words: ()) -> redaction_anchors.Vocabulary:
    return redaction_anchors.Vocabulary(redaction_anchors.Index([TABLE]), telling, texts)


@given(TEXTS, st.lists(TEXTS, max_size=3))
def test_a_text_is_only_spared_rules_without_an_anchor_in_it(text, others):
    held = {anchor for anchor in ANCHORS if anchor in text.lower() or anchor in text}

    for known in (vocabulary(text, *others), vocabulary(*others), vocabulary(*others, text)):
        look = known.look(text)
        anchors = {anchor for row, _ in look.rules(TABLE) for anchor in row}

        assert held <= anchors
        assert held <= set(look.words(tuple(ANCHORS)))
        assert look.may_be_in(TABLE) == bool(anchors)
        assert not (held and look.tell_nothing)


@given(st.lists(TEXTS, max_size=4), st.lists(TEXTS, min_size=1, max_size=4))
def test_what_is_told_of_a_text_does_not_depend_on_what_was_looked_at_before(before, texts):
    for text in texts:
        known = vocabulary(*before)
        alone = known.look(text).rules(TABLE)
        for other in texts:
            known.look(other)

        assert {row[1] for row in known.look(text).rules(TABLE)} >= {row[1] for row in alone}


def test_words_that_were_in_no_text_may_hold_any_anchor():
    known = vocabulary("read it", "run it")

    assert known.look("run it").tell_nothing
    assert known.look("run pwgen").rules(TABLE) == ((("pwgen",), "first"),)
    assert redaction_rules.EVERY.rules(TABLE) == TABLE


def test_an_anchor_that_no_table_of_the_index_has_may_be_anywhere():
    table = ((("op read", "elsewhere"), "first"),)

    assert vocabulary().look("run it").rules(table) == ((("elsewhere",), "first"),)


def test_a_blank_in_an_anchor_is_the_end_of_a_word():
    known = vocabulary("stop already", "drop reading")

    assert known.look("stop already").tell_nothing
    assert known.look("please op read it").rules(TABLE) == ((("op read",), "first"),)


def test_a_word_that_tells_by_itself_keeps_its_text_from_being_spared():
    known = vocabulary(telling=lambda words: [word for word in words if word == "tells"])

    assert known.look("it hides").tell_nothing
    assert not known.look("it tells").tell_nothing


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_a_family_asks_for_no_anchor_that_its_table_lacks(family):
    asked = Asked()

    list(family.spans_in("a -b <<< c", "a -b <<< c", asked))

    assert asked.anchors <= {anchor for anchors, *_ in family.TABLE for anchor in anchors}


def test_secrets_of_every_kind_are_found_amid_plain_talk():
    known = redaction_rules.vocabulary([*SECRETS, *TALK])

    for text in (*SECRETS, *TALK):
        assert redaction.find_spans(text, known) == redaction.find_spans(text)


@pytest.mark.parametrize("half", HALVES)
def test_what_was_looked_at_before_hides_nothing_from_a_text(half):
    known = redaction_rules.vocabulary([])

    for record in records(half):
        assert redaction.find_spans(record.text, known) == redaction.find_spans(record.text)


def test_plain_talk_is_told_by_its_words():
    known = redaction_rules.vocabulary([*SECRETS, *TALK])

    assert known.look(TALK[0]).tell_nothing
    assert not any(known.look(text).tell_nothing for text in SECRETS)


def test_long_words_that_can_be_no_token_tell_nothing():
    talk = "see src/billing/invoice_mailer_37.py, EventEmitterSettings, reconciliation-window"

    assert redaction_rules.vocabulary([talk]).look(talk).tell_nothing


def test_a_token_that_a_shell_line_goes_on_with_costs_nobody_the_text():
    token = "ghp_Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4zA7bC"

    clean = redaction.redact(f"export TOKEN={token[:20]}\\\n    {token[20:]}\nand stops")

    assert "and stops" in clean
    assert token[20:] not in clean
