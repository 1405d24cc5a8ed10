"""The cues of all languages as lookups: a word costs the same, however many cues there are.

A new language is one module like `cues_en` and one name in `_LANGUAGES`.
"""

from compact_guard.hook import cues_en, cues_ru, cues_zh, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

RANKS = ("corrections", "decisions", "constraints", "tasks", "evidence", "recent")
CUED_RANKS = len(RANKS) - 1
QUESTION_MARKS = ("?", "？")

_LANGUAGES = (cues_en, cues_ru, cues_zh)
_PART_CHARS_MAX = 4

Hit = tuple[int, int]  # a rank's number and the weight
Phrase = tuple[list[str], Hit]  # the words that must follow
Entry = tuple[list[Hit], list[Phrase]]


class Phrases:
    """A set of words, phrases and parts of East Asian sentences."""

    def __init__(self, *lists: str) -> None:
        self._by_first: dict[str, list[list[str]]] = {}
        self._parts: set[str] = set()
        for phrase in "|".join(lists).split("|"):
            if words.is_east_asian(phrase):
                self._parts.add(phrase.strip("，"))
            else:
                first, *rest = phrase.split()
                self._by_first.setdefault(first, []).append(rest)
        for rests in self._by_first.values():
            rests.sort(key=len, reverse=True)

    def length_at(self, tokens: list[str], index: int) -> int:
        """How many tokens the longest phrase at `index` has; 0 if none begins there."""
        for rest in self._by_first.get(tokens[index], ()):
            if tokens[index + 1 : index + 1 + len(rest)] == rest:
                return 1 + len(rest)
        return 0

    def first_words(self) -> "Iterable[str]":
        """What a phrase, parts of East Asian sentences aside, can begin with."""
        return self._by_first

    def phrases(self) -> "Iterator[tuple[str, ...]]":
        """Its words and phrases, parts of East Asian sentences aside."""
        for first, rests in self._by_first.items():
            for rest in rests:
                yield (first, *rest)

    def begins(self, tokens: list[str]) -> bool:
        """True if the first token is or begins with one of them."""
        if not tokens:
            return False
        if words.is_east_asian(tokens[0]):
            return any(tokens[0][:length] in self._parts for length in PART_LENGTHS)
        return self.length_at(tokens, 0) > 0

    def parts_in(self, run: str) -> list[tuple[int, int]]:
        """Start and end of every part in a run of East Asian characters."""
        return [
            (start, start + length)
            for start in range(len(run))
            for length in PART_LENGTHS
            if run[start : start + length] in self._parts
        ]

    def holds(self, token: str) -> bool:
        """True if this one token is a whole word or part of the set."""
        return token in self._parts or [] in self._by_first.get(token, ())

    def may_occur_in(self, tokens: list[str]) -> bool:
        """False if none of them can: the rule, and ten times as cheap as looking at each place."""
        return not (self._by_first.keys().isdisjoint(tokens) and all(map(str.isascii, tokens)))

    def occurs_in(self, tokens: list[str]) -> bool:
        """True if any of them stands anywhere in the tokens."""
        return self.may_occur_in(tokens) and any(
            self.parts_in(token) if words.is_east_asian(token) else self.length_at(tokens, index)
            for index, token in enumerate(tokens)
        )


PART_LENGTHS = range(1, _PART_CHARS_MAX + 1)
OPENERS = Phrases(*(language.OPENERS for language in _LANGUAGES))
UPDATES = Phrases(*(language.UPDATES for language in _LANGUAGES))
REFUTERS = Phrases(*(language.REFUTERS for language in _LANGUAGES))
NEGATIONS = Phrases(*(language.NEGATIONS for language in _LANGUAGES))
REFUTED_BEFORE = Phrases(*(language.REFUTED_BEFORE for language in _LANGUAGES))
DOUBTED_BEFORE = Phrases(*(language.DOUBTED_BEFORE for language in _LANGUAGES))
LEAVES = Phrases(*(language.LEAVES for language in _LANGUAGES))
REACH_ENDS = Phrases(*(language.REACH_ENDS for language in _LANGUAGES))
JOINERS = Phrases(*(language.JOINERS for language in _LANGUAGES))
ELLIPSES = Phrases(*(language.ELLIPSES for language in _LANGUAGES))
BARE_CORRECTIONS = Phrases(*(language.BARE_CORRECTIONS for language in _LANGUAGES))
ACKNOWLEDGEMENTS = Phrases(*(language.ACKNOWLEDGEMENTS for language in _LANGUAGES))
REQUESTS = Phrases(*(language.REQUESTS for language in _LANGUAGES))
NUMBERS = frozenset(
    words.Word(word).stems[0] for language in _LANGUAGES for word in language.NUMBERS.split("|")
)
STOPSTEMS = frozenset(
    stem
    for language in _LANGUAGES
    for word in language.STOPWORDS.split("|")
    for stem in words.Word(word).stems
)
# Without spaces, a pair that holds one of these is of two words.
STOP_CHARACTERS = frozenset(s for s in STOPSTEMS if len(s) == 1 and words.is_east_asian(s))


def _index() -> tuple[dict[str, list[Hit]], dict[str, list[Hit]], dict[str, list[Phrase]]]:
    single: dict[str, list[Hit]] = {}
    stemmed: dict[str, list[Hit]] = {}
    phrases: dict[str, list[Phrase]] = {}
    for language in _LANGUAGES:
        for rank, weighted in enumerate(language.RANKS.values()):
            for weight, listed in weighted:
                for phrase in listed.split("|"):
                    first, *rest = phrase.rstrip(", ").split()
                    if rest:
                        phrases.setdefault(first, []).append((rest, (rank, weight)))
                    elif first.endswith("*"):
                        stemmed.setdefault(words.stem(first[:-1]), []).append((rank, weight))
                    else:
                        single.setdefault(first, []).append((rank, weight))
    return single, stemmed, phrases


_SINGLE, _STEMMED, _PHRASES = _index()
_NO_CUE: Entry = ([], [])
_KNOWN: dict[str, Entry] = {}  # a hook's process lives for one conversation


def weights_of(tokens: list[str]) -> list[int]:
    """The summed weight of the cues of each cued rank in lower-case tokens."""
    weights = [0] * CUED_RANKS
    for index, token in enumerate(tokens):
        entry = _KNOWN.get(token) or _look_up(token)
        if entry is _NO_CUE:
            continue
        hits, phrases = entry
        for rank, weight in hits:
            weights[rank] += weight
        for rest, (rank, weight) in phrases:
            if tokens[index + 1 : index + 1 + len(rest)] == rest:
                weights[rank] += weight
    return weights


def _look_up(token: str) -> Entry:
    """The cues of a token, and the phrases that begin with it; each looked up once."""
    if words.is_east_asian(token):
        hits, phrases = _hits_in_run(token), []
    else:
        hits = _SINGLE.get(token) or _STEMMED.get(words.stem(token), [])
        phrases = _PHRASES.get(token, [])
    _KNOWN[token] = entry = (hits, phrases) if hits or phrases else _NO_CUE
    return entry


def _hits_in_run(run: str) -> list[Hit]:
    hits: list[Hit] = []
    for start in range(len(run)):
        for length in PART_LENGTHS:
            hits += _SINGLE.get(run[start : start + length], ())
    return hits
