"""How well the rules do on kinds and forms of secrets, in the half they were tuned on and not."""

import pytest

from compact_guard.hook import redaction
from tests.redaction.corpus import HALVES, records
from tests.redaction.kinds import KINDS
from tests.redaction.scoring import Score, is_left

RECALL_MIN = 0.985
FALSE_ALARM_RATE_MAX = 0.015
OTHER_SEED = 41


@pytest.fixture(scope="module", params=HALVES)
def corpus(request):
    return records(request.param)


def test_secrets_go_and_look_alikes_stay(corpus):
    score = Score(corpus, redaction.redact)

    assert (score.leaks, score.false_alarms, score.unstable) == ([], [], [])


@pytest.mark.parametrize("half", HALVES)
def test_other_values_of_the_same_shapes_make_no_difference(half):
    """Kinds with a shape of chance can meet a value that looks like a word: rarely."""
    score = Score(records(half, OTHER_SEED), redaction.redact)

    assert score.recall >= RECALL_MIN, score.leaks
    assert score.false_alarm_rate <= FALSE_ALARM_RATE_MAX, score.false_alarms
    assert score.unstable == []


def test_one_long_text_is_redacted_as_its_parts_are(corpus):
    clean = redaction.redact("\n\n".join(record.text for record in corpus))

    assert [r.id for r in corpus for secret in r.secrets if is_left(secret, clean)] == []
    assert [r.id for r in corpus if not r.secrets and r.text not in clean] == []
    assert redaction.redact(clean) == clean


def test_the_corpus_is_as_broad_as_it_claims():
    both = [record for half in HALVES for record in records(half)]
    kinds = {record.kind for record in both if record.secrets}
    forms = {record.form for record in both if record.secrets}

    assert len(kinds) >= 250
    assert len(forms) >= 80
    assert len({kind.name for kind in KINDS}) == len(KINDS) >= 150


def test_the_scorer_sees_what_is_left():
    secret = "Xk3v9Qm2Lp7Rt5Wz8"
    assert is_left(secret, f"a {secret} b")
    assert is_left(secret, "a Xk3v9Qm2\n> Lp7Rt5Wz8 b")
    assert is_left(secret, "k=%58k3v9Qm2Lp7R")
    assert not is_left(secret, "a [redacted:key]Rt5Wz8 b")
