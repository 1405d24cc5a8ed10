"""Rank what was said: corrections, decisions, constraints, tasks, evidence; the rest is recent.

Cues tell a rank. Half of what people lay down carries none, so form counts too: a statement is
worth more than a question, a request of the moment or a nod, and words that the session does not
use all the time more than those it does. The model may quote a hostile page: none of its words
ranks as correction or constraint.
"""

from itertools import pairwise
from math import log

from compact_guard.hook import cues, words
from compact_guard.hook.items import RECENT, Item
from compact_guard.hook.limits import ITEM_UNITS_MAX, PASTE_CHARS_MIN, SENTENCE_UNITS_MAX
from compact_guard.hook.sentences import spans
from compact_guard.hook.text import cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from compact_guard.hook.events import Message

CORRECTIONS, DECISIONS, CONSTRAINTS, TASKS, EVIDENCE = range(cues.CUED_RANKS)
CUED_MIN = (3, 3, 2, 3, 2)  # the weight from which cues tell the rank
TYPED_RANKS = (CORRECTIONS, DECISIONS, CONSTRAINTS, TASKS, EVIDENCE)
ANSWER_RANKS = (DECISIONS, TASKS, EVIDENCE)
STRONG_WEIGHT = 3  # one sure cue
OPENER_WEIGHT = 2
CUE_WEIGHT_MAX = 6  # a heap of cues says no more than two strong ones
HABIT_NOVELTY = 0.35  # below it a sentence is a set phrase with another name in it
COMMON_ONE_IN = 20  # a pair in more statements than that is not rare at all
STATEMENT_MIN = 2.0  # an uncued statement below it is small talk


class Habits:
    """How usual word pairs are in this stretch of the session, values counted as one word."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, str], int] = {}
        self._count = 0
        self._rarities: dict[int, float] = {}  # by how often a pair was seen elsewhere

    def learn(self, shape: list[tuple[str, str]], times: int) -> None:
        """Note that a statement of this shape was made so many times."""
        self._count += times
        self._rarities.clear()
        for pair in set(shape):
            self._seen[pair] = self._seen.get(pair, 0) + times

    def novelty(self, shape: list[tuple[str, str]], times: int = 1) -> float:
        """How unusual its pairs are here, 0 to 1: from one in twenty statements down to once.

        `times`: so many of those seen are the statement itself.
        """
        if not shape:
            return 0.0
        known = self._rarities
        counts = [self._seen[pair] - times for pair in shape]
        rarities = [known[count] if count in known else self._rarity(count) for count in counts]
        return sum(rarities) / len(rarities)

    def _rarity(self, count: int) -> float:
        scale = log(max(self._count / COMMON_ONE_IN, 3))
        self._rarities[count] = 1 - min(log(max(count + 1, 1)) / scale, 1)
        return self._rarities[count]


class Statement:
    """A piece of a message with what ranking needs of it."""

    __slots__ = ("message", "shape", "start", "stop", "text", "times", "tokens", "values")

    def __init__(self, message: "Message", start: int, stop: int) -> None:
        self.message = message
        self.start = start
        self.stop = stop
        self.text = cut(message.text[start:stop].strip(), SENTENCE_UNITS_MAX)[0]
        self.times = 1  # how often it was said
        self.tokens: list[str] = []
        self.values = 0
        self.shape: list[tuple[str, str]] = []  # neighbouring stems

    def read(self) -> None:
        """Work out what its words are."""
        found = words.words_of(self.text)
        self.tokens = [word.lower for word in found]
        row = [stem for word in found for stem in word.shape]
        self.values = row.count(words.VALUE)
        self.shape = list(pairwise(row))


def rank(messages: "Sequence[Message]") -> list[Item]:
    """Items of messages given oldest first, in that order; equal statements once, the newest."""
    said = _statements(messages)
    habits = {"user": Habits(), "assistant": Habits()}
    for statement in said:
        habits[statement.message.speaker].learn(statement.shape, statement.times)
    replies = {
        later.identity for earlier, later in pairwise(messages) if earlier.speaker != later.speaker
    }
    items: list[Item] = []
    rest: list[Statement] = []
    for statement in said:
        message = statement.message
        is_reply = statement.start == 0 and message.identity in replies
        rank_name, score = _ranked(statement, habits[message.speaker], is_reply)
        if rest and (rest[-1].message is not message or rest[-1].stop > statement.start):
            items.append(_recent(rest))
            rest = []
        if rank_name != RECENT:
            items.append(_item(statement, rank_name, score))
        else:
            rest.append(statement)
    return [*items, _recent(rest)] if rest else items


def _statements(messages: "Sequence[Message]") -> list[Statement]:
    said: dict[tuple[str, str], Statement] = {}
    for message in messages:
        for start, stop in spans(message.text):
            statement = Statement(message, start, stop)
            earlier = said.pop((message.speaker, statement.text), None)
            statement.times += earlier.times if earlier else 0
            said[message.speaker, statement.text] = statement
    for statement in said.values():
        statement.read()
    return list(said.values())


def _item(statement: Statement, rank_name: str, score: float) -> Item:
    message = statement.message
    return _quoted(message, rank_name, score, statement.text)


def _recent(statements: list[Statement]) -> Item:
    """What ranks as nothing, as one quotation from the first to the last of it."""
    message = statements[0].message
    whole = message.text[statements[0].start : statements[-1].stop].strip()
    return _quoted(message, RECENT, 0.0, cut(whole, ITEM_UNITS_MAX)[0])


def _quoted(message: "Message", rank_name: str, score: float, text: str) -> Item:
    return Item(
        rank_name, score, text, speaker=message.speaker, at=message.at, offset=message.offset
    )


def _ranked(statement: Statement, habits: Habits, is_reply: bool) -> tuple[str, float]:
    weights = cues.weights_of(statement.tokens)
    if statement.message.speaker == "user":
        if is_reply and cues.OPENERS.begins(statement.tokens):
            weights[CORRECTIONS] += OPENER_WEIGHT
        return _rank_of_typed(statement, habits, weights)
    return _rank_of_answered(statement, habits, weights)


def _rank_of_typed(statement: Statement, habits: Habits, weights: list[int]) -> tuple[str, float]:
    if all(map(cues.ACKNOWLEDGEMENTS.holds, statement.tokens)):
        return RECENT, 0.0
    rule = max(weights[:TASKS])
    # A rule that somebody repeats word by word is no habit of speech but an important rule.
    times = statement.times if rule >= STRONG_WEIGHT else 1
    novelty = habits.novelty(statement.shape, times)
    score = _form(statement, novelty)
    if cues.REQUESTS.begins(statement.tokens):
        is_rule = weights[CORRECTIONS] >= STRONG_WEIGHT or rule >= CUE_WEIGHT_MAX
        score -= 0.5 if is_rule else 1.5
    is_question = statement.text.endswith(cues.QUESTION_MARKS)
    if is_question and rule < STRONG_WEIGHT:
        return RECENT, score
    for number in TYPED_RANKS:
        is_put_off = number == CONSTRAINTS and weights[TASKS] > weights[CONSTRAINTS]
        if weights[number] >= CUED_MIN[number] and not is_put_off:
            return cues.RANKS[number], score + _cued(rule, novelty)
    if score < STATEMENT_MIN or len(statement.message.text) > PASTE_CHARS_MIN:
        return RECENT, score
    # Somebody who states a fact of the project lays it down for what follows.
    return cues.RANKS[CONSTRAINTS], score


def _rank_of_answered(
    statement: Statement, habits: Habits, weights: list[int]
) -> tuple[str, float]:
    for number in ANSWER_RANKS:
        if weights[number] >= STRONG_WEIGHT and (number != EVIDENCE or statement.values):
            novelty = habits.novelty(statement.shape)
            score = _form(statement, novelty) + _cued(weights[number], novelty)
            return cues.RANKS[number], score
    return RECENT, 0.0


def _form(statement: Statement, novelty: float) -> float:
    """What the form alone is worth, -5 to 3."""
    score = 0.5 + 2 * novelty + 0.25 * min(statement.values, 2)
    if novelty < HABIT_NOVELTY:
        score -= 1.5
    if statement.text.endswith(cues.QUESTION_MARKS):
        score -= 2.5
    if len(statement.shape) < 2:
        score -= 1.5
    return score


def _cued(weight: int, novelty: float) -> float:
    """What cues add, 0 to 3: less where somebody says the like all the time."""
    return min(weight, CUE_WEIGHT_MAX) * (0.2 + 0.3 * novelty)
