"""Corrections as people word them, told in a conversation: the corrected words are not kept.

The pairs are data in `corrections/`, one file per language.
"""

import random
from pathlib import Path

import pytest

from compact_guard.hook import composing, ellipsis, ranking
from compact_guard.hook.events import Message
from compact_guard.hook.items import Item
from tests.bench.quality import conversations, phrases

_FOLDER = Path(__file__).with_name("corrections")
_BETWEEN = 6  # turns of small talk


def _pairs(kind: str) -> list[tuple[str, str, str]]:
    """Language, earlier and later statement of each pair of a kind."""
    found = []
    for language in phrases.LANGUAGES:
        section = ""
        for line in (_FOLDER / f"{language}.txt").read_text("utf-8").splitlines():
            if line.startswith("["):
                section = line.strip("[]")
            elif section == kind and line:
                found.append((language, *line.split(" => ")))
    return found


def _kept(language: str, earlier: str, later: str, turns_between: int) -> list[Item]:
    """The items that hold at the end of a conversation in which both were said."""
    bank, chance = phrases.load(language, "tuned"), random.Random(earlier)
    separator = "" if language == "zh" else " "

    def small_talk(turns: int) -> list[tuple[str, str]]:
        told = [conversations.small_talk_turn(bank, chance, separator) for _ in range(turns)]
        return [said for turn in told for said in turn]

    answer = ("assistant", bank["replies"][0])
    told = [*small_talk(12), ("user", earlier), answer, *small_talk(turns_between)]
    told += [("user", later), answer, *small_talk(12)]
    messages = [Message(speaker, None, text, f"m{n}") for n, (speaker, text) in enumerate(told)]
    for number, message in enumerate(messages):
        message.offset = number + 1
    items = ellipsis.resolved(ranking.rank(messages))
    return composing._still_valid(items, {"items_dropped": 0})


def _texts(items: list[Item]) -> list[str]:
    return [item.text for item in items]


@pytest.mark.parametrize(("language", "earlier", "later"), _pairs("gone"))
def test_what_was_corrected_is_gone_and_the_correction_is_there(language, earlier, later):
    texts = _texts(_kept(language, earlier, later, _BETWEEN))

    assert earlier not in texts
    assert later in texts


@pytest.mark.parametrize(("language", "earlier", "later"), _pairs("joined"))
def test_words_that_say_nothing_alone_are_quoted_with_what_they_correct(language, earlier, later):
    texts = _texts(_kept(language, earlier, later, turns_between=0))

    assert earlier not in texts
    assert f"{earlier}\n  → {later}" in texts


@pytest.mark.parametrize(("language", "earlier", "later"), _pairs("hold"))
def test_what_was_not_corrected_is_still_there(language, earlier, later):
    texts = _texts(_kept(language, earlier, later, _BETWEEN))

    assert {earlier, later} <= set(texts)


@pytest.mark.parametrize(("language", "earlier", "later"), _pairs("missed"))
def test_these_corrections_are_not_seen_and_both_are_quoted_in_their_order(
    language, earlier, later
):
    texts = _texts(_kept(language, earlier, later, _BETWEEN))

    assert texts.index(earlier) < texts.index(later)
