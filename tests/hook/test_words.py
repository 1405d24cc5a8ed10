"""Tokens: the quick way for texts without East Asian characters finds what one pattern would."""

import re

from hypothesis import given
from hypothesis import strategies as st

from compact_guard.hook import words

LETTERS = "aB1_-./:@'’ 是好的한글かйё,。（）Ａ１\n²"


@given(st.text(LETTERS, max_size=20))
def test_two_patterns_find_the_same_tokens_as_one(text):
    assert words.tokens(text) == re.findall(words._MIXED, text)


@given(st.text(st.characters(max_codepoint=127)))
def test_words_of_ascii_are_told_as_those_of_other_texts_are(text):
    beyond = words.tokens(f"{text} \u00e9")

    assert [*words.tokens(text), "\u00e9"] == beyond
