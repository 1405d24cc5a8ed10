"""What a statement takes back: the words in the reach of its refuting phrases.

"Instead of X" and "from X to" reach forwards, "X is gone" reaches backwards. A phrase that only
denies or doubts ("not X", "X was too slow") is weaker: what it denies need not have been said.
"""

import re

from compact_guard.hook import cues, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_CLAUSE_END = re.compile(r"[,.;:!](?=\s)|\s[-—–]\s|[，。；：！、]|\s(?:so|поэтому)\s")
_FORWARDS, _DENIES, _BACKWARDS, _DOUBTS, _LEAVES, _ENDS, _JOINS = range(7)
_LISTS = (
    (cues.REFUTERS, _FORWARDS),
    (cues.NEGATIONS, _DENIES),
    (cues.REFUTED_BEFORE, _BACKWARDS),
    (cues.DOUBTED_BEFORE, _DOUBTS),
    (cues.LEAVES, _LEAVES),
    (cues.REACH_ENDS, _ENDS),
    (cues.JOINERS, _JOINS),
)
_REFUTING_WORDS = frozenset[str]().union(*(listed.first_words() for listed, _ in _LISTS[:_ENDS]))
_AHEAD = frozenset((_FORWARDS, _DENIES, _LEAVES))
_BEHIND = frozenset((_BACKWARDS, _DOUBTS))
_SOFT = frozenset((_LEAVES, _ENDS))
_NO_ROLE = frozenset[int]()

Roles = frozenset[int]
Piece = tuple[Roles, list[words.Word]]


def _indexed() -> dict[str, list[tuple[list[str], Roles]]]:
    """By their first word, the longest first."""
    roles: dict[tuple[str, ...], Roles] = {}
    for listed, role in _LISTS:
        for phrase in listed.phrases():
            roles[phrase] = roles.get(phrase, _NO_ROLE) | {role}
    index: dict[str, list[tuple[list[str], Roles]]] = {}
    for first, *rest in sorted(roles, key=len, reverse=True):
        index.setdefault(first, []).append((rest, roles[first, *rest]))
    return index


_PHRASES = _indexed()


class Refutation:
    """Content words that no longer hold; `is_sure` if the phrase says so of something that did.

    `wider`: the same with what follows in the clause, for "with" may join or part. `doubted`: the
    clause, where it only doubts: "the import was slow" takes nothing back by itself.
    """

    __slots__ = ("doubted", "is_sure", "wider", "words")

    def __init__(self, refuted: set[str], wider: set[str], *, is_sure: bool) -> None:
        self.words = refuted
        self.wider = wider
        self.is_sure = is_sure
        self.doubted: set[str] = set()


def refutations(text: str, found: list[words.Word]) -> list[Refutation]:
    """What each clause of a text takes back; `found` are its words."""
    if not _may_refute(found):
        return []
    return [found for clause in _clauses(text) for found in _of_clause(clause)]


def _may_refute(found: list[words.Word]) -> bool:
    """False if it cannot: the rule, and ten times as cheap as looking at each phrase."""
    tokens = [word.lower for word in found]
    if not _REFUTING_WORDS.isdisjoint(tokens):
        return True
    return not all(map(str.isascii, tokens)) and any(map(words.is_east_asian, tokens))


def content(found: list[words.Word]) -> set[str]:
    """The stems that tell one subject from another."""
    stems = {stem for word in found for stem in word.stems} - cues.STOPSTEMS
    if "".join(stems).isascii():
        return stems
    return {stem for stem in stems if cues.STOP_CHARACTERS.isdisjoint(stem)}


def _clauses(text: str) -> "Iterator[list[Piece]]":
    """One that says nothing but a phrase goes with the next: "Forget it, the old theme"."""
    opening: list[Piece] = []
    for clause in _CLAUSE_END.split(text):
        found = words.words_of(clause)
        if not opening and not _may_refute(found):
            continue
        pieces = [*opening, *_pieces(found)]
        is_bare = all(_FORWARDS in roles for roles, _ in pieces)
        opening = pieces if is_bare else []
        if not is_bare:
            yield pieces


def _of_clause(pieces: "list[Piece]") -> "Iterator[Refutation]":
    for index, (roles, _) in enumerate(pieces):
        if not roles or (index and _DENIES in pieces[index - 1][0]):
            continue  # "do not rename"
        following = pieces[index + 1 :]
        is_verb = _BACKWARDS in roles  # "renamed to Y": its object stands elsewhere
        reached = _content_until(following, is_verb) if _may_reach(roles, following) else set()
        if reached:
            yield Refutation(reached, _content_of(following), is_sure=_DENIES not in roles)
        if roles & _BEHIND or (_FORWARDS in roles and not reached):
            # The verb comes last: "Celery we dropped", "от Celery отказались".
            before = _content_before(pieces[:index])
            if before:
                yield _refuted_before(before, roles, pieces)


def _refuted_before(before: set[str], roles: Roles, pieces: "list[Piece]") -> Refutation:
    refutation = Refutation(before, before, is_sure=_DOUBTS not in roles)
    if _DOUBTS in roles:
        refutation.doubted = _content_of(pieces)
    return refutation


def _may_reach(roles: Roles, following: "list[Piece]") -> bool:
    """Of "from X" only if something is gone over to: alone it says where X comes from."""
    if _LEAVES in roles:
        return any(_ENDS in others for others, _ in following)
    return bool(roles & _AHEAD)


def _content_until(pieces: "list[Piece]", ends_at_once: bool = True) -> set[str]:
    """Up to the next phrase, a "from" excepted."""
    reached: set[str] = set()
    for roles, found in pieces:
        if roles - {_LEAVES} and (reached or (ends_at_once and roles & {_ENDS, _JOINS})):
            break
        reached |= content(found)
    return reached


def _content_before(pieces: "list[Piece]") -> set[str]:
    """Back to the phrase before it, prepositions excepted."""
    reached: set[str] = set()
    for roles, found in reversed(pieces):
        if roles - _SOFT and (reached or _JOINS in roles):
            break
        reached |= content(found)
    return reached


def _content_of(pieces: "list[Piece]") -> set[str]:
    return set().union(*(content(found) for _, found in pieces))


def _pieces(found: list[words.Word]) -> "Iterator[Piece]":
    """Phrases with their roles, and what stands between them with none."""
    tokens = [word.lower for word in found]
    start = index = 0
    while index < len(found):
        is_run = words.is_east_asian(tokens[index])
        roles, length = (_NO_ROLE, 1) if is_run else _roles_at(tokens, index)
        if (is_run or roles) and start < index:
            yield _NO_ROLE, found[start:index]
        if is_run:
            yield from _pieces_of_run(tokens[index])
        elif roles:
            # "With" may be one of two: the end of a reach or a word like others.
            yield roles, found[index : index + length] if roles <= _SOFT else []
        index += length
        if is_run or roles:
            start = index
    if start < index:
        yield _NO_ROLE, found[start:]


def _roles_at(tokens: list[str], index: int) -> tuple[Roles, int]:
    """The roles of the longest phrase that begins there; none and 1 if none does."""
    for rest, roles in _PHRASES.get(tokens[index], ()):
        if tokens[index + 1 : index + 1 + len(rest)] == rest:
            return roles, 1 + len(rest)
    return _NO_ROLE, 1


def _pieces_of_run(run: str) -> "Iterator[Piece]":
    start = index = 0
    while index < len(run):
        roles, length = _roles_in_run(run, index)
        if not roles:
            index += 1
            continue
        if start < index:
            yield _NO_ROLE, words.words_of(run[start:index])
        yield roles, []
        start = index = index + length
    if start < len(run):
        yield _NO_ROLE, words.words_of(run[start:])


def _roles_in_run(run: str, index: int) -> tuple[Roles, int]:
    for length in reversed(cues.PART_LENGTHS):
        part = run[index : index + length]
        roles = frozenset(role for listed, role in _LISTS if listed.holds(part))
        if roles:
            return roles, len(part)
    return _NO_ROLE, 1
