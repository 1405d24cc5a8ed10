"""No input makes a rule work more than in proportion: shown by structure and by counted work."""

import re
import sys
from collections.abc import Iterator

import pytest

from compact_guard.hook import (
    redaction,
    redaction_calls,
    redaction_commands,
    redaction_phrases,
    redaction_structures,
    redaction_told,
    redaction_values,
    redaction_views,
)
from tests.bench.redaction import FILLERS, literals
from tests.redaction import pairs
from tests.redaction.corpus import HALVES, records

parser, compiler = re._parser, re._compiler
REPEATS = (parser.MAX_REPEAT, parser.MIN_REPEAT, parser.POSSESSIVE_REPEAT)
ONE_LETTER = (parser.IN, parser.LITERAL, parser.NOT_LITERAL, parser.ANY)
LETTERS = [chr(code) for code in range(0x180)]
REPEATS_OF_A_GROUP_MAX = 8_192


@pytest.fixture(scope="module")
def patterns() -> list[str]:
    """Every pattern that the corpus makes the rules compile."""
    for half in HALVES:
        for record in records(half):
            redaction.find_spans(record.text)
    for marked, twin in pairs.PAIRS.values():
        redaction.find_spans(marked.replace("⟦", "").replace("⟧", ""))
        redaction.find_spans(twin)
    return [*redaction_values._patterns, *redaction_views._patterns]


def test_the_corpus_makes_every_rule_compile(patterns):
    rules = {pattern for _, _, pattern, _ in redaction_structures.RULES}
    rules |= {pattern for _, pattern, _ in redaction_commands.RULES}
    rules |= {pattern for _, pattern, _ in redaction_commands.PLAIN_RULES}
    rules |= {pattern for _, _, pattern in redaction_phrases.RULES}
    rules |= {pattern for _, pattern, _ in redaction_calls.RULES}
    rules |= {pattern for _, _, _, pattern, _ in redaction_told.RULES}

    assert rules - set(patterns) == set()
    assert len(patterns) > 50


def test_every_repeat_has_an_end(patterns):
    endless = [
        source
        for source in patterns
        for _, (_, most, _) in repeats(parser.parse(source))
        if most == parser.MAXREPEAT
    ]

    assert endless == []


def test_no_repeat_can_share_its_letters_in_two_ways(patterns):
    """`(a{0,9}a{0,9}){9}` takes exponential time to fail: neighbours must not overlap."""
    ambiguous = [
        source
        for source in patterns
        for _, (_, most, body) in repeats(parser.parse(source))
        if most > 1 and len(body) > 1 and is_ambiguous(list(body) * 2)
    ]

    assert ambiguous == []


def test_a_group_in_a_repeat_repeats_few_times(patterns):
    most_often = max(
        most
        for source in patterns
        for _, (_, most, body) in repeats(parser.parse(source))
        if len(body) > 1 or body[0][0] not in ONE_LETTER
    )

    assert most_often <= REPEATS_OF_A_GROUP_MAX


def repeats(tree) -> Iterator[tuple]:
    """Every repeat in a parsed pattern, wherever it stands."""
    for operator, argument in tree:
        if operator in REPEATS:
            yield operator, argument
        for child in children(argument):
            yield from repeats(child)


def children(argument) -> Iterator:
    if isinstance(argument, parser.SubPattern):
        yield argument
    elif isinstance(argument, tuple | list):
        for part in argument:
            yield from children(part)


def is_ambiguous(body: list) -> bool:
    """True if a repeat can give letters to the next one that takes the same letters."""
    for index, (operator, argument) in enumerate(body):
        if operator not in (parser.MAX_REPEAT, parser.MIN_REPEAT) or not is_one_letter(argument):
            continue
        for follower in body[index + 1 :]:
            if letters_of(argument[2]) & first_letters(follower):
                return varies(follower)
            if not can_be_empty(follower):
                break
    return False


def varies(item: tuple) -> bool:
    operator, argument = item
    return operator in (parser.MAX_REPEAT, parser.MIN_REPEAT) and argument[0] != argument[1]


def is_one_letter(argument: tuple) -> bool:
    least, most, inner = argument
    return least != most and len(inner) == 1 and inner[0][0] in ONE_LETTER


def letters_of(inner) -> set[str]:
    pattern = compiler.compile(inner)
    return {letter for letter in LETTERS if pattern.fullmatch(letter)}


def first_letters(item: tuple) -> set[str]:
    operator, argument = item
    if operator in REPEATS and is_one_letter((0, 1, argument[2])):
        return letters_of(argument[2])
    if operator in (parser.IN, parser.LITERAL):
        state = parser.State()
        return letters_of(parser.SubPattern(state, [item]))
    return set()


def can_be_empty(item: tuple) -> bool:
    operator, argument = item
    return operator in REPEATS and argument[0] == 0


def test_the_check_knows_an_ambiguous_repeat():
    bad = parser.parse("(?:x[a-z]{0,9}[0-9]{0,3}[a-z]{0,3}){1,9}")
    good = parser.parse("(?:x[a-z]{0,9}){1,9}")

    (_, (_, _, bad_body)), *_ = repeats(bad)
    (_, (_, _, good_body)), *_ = repeats(good)
    assert is_ambiguous(list(bad_body) * 2)
    assert not is_ambiguous(list(good_body) * 2)


@pytest.mark.parametrize("piece", [*FILLERS, *literals()[::7]])
def test_four_times_the_text_is_at_most_four_times_the_work(piece):
    """Counted in function calls, so that a busy machine changes nothing."""
    text = piece * (3_000 // len(piece) + 1)
    once, four_times = calls(text), calls(text * 4)

    assert four_times <= 4.4 * once + 400


def calls(text: str) -> int:
    """Python and C function calls of one redaction."""
    count = 0

    def counted(_frame, event, _argument):
        nonlocal count
        count += event in ("call", "c_call")

    redaction.find_spans(text)  # compiles what it needs
    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        redaction.find_spans(text)
    finally:
        sys.setprofile(before)
    return count
