"""CPU of the redactor on hostile text against ordinary text of the same size, in the same run.

    python -m tests.bench.redaction [KILOBYTES]

Hostile: every literal that any rule looks for, and random pairs of them, repeated to the size.
Prints the ten worst ratios; exits 1 if one is above the limit.
"""

import random
import re
import sys
import time
from pathlib import Path

from compact_guard.hook import (
    redaction,
    redaction_calls,
    redaction_commands,
    redaction_encoded,
    redaction_marks,
    redaction_numbers,
    redaction_pem,
    redaction_phrases,
    redaction_positions,
    redaction_structures,
    redaction_told,
    redaction_values,
    redaction_words,
)

PACKAGE = Path(redaction.__file__).parents[1]
RATIO_MAX = 3.0
KILOBYTES = 1_000
PAIRS = 60
LOOKED_AT = 25
SEED = 20261130
FILLERS = ("A7b9", "a", " ", "=", ": ", "\n", "/", "%41", "\\", '"', "é", "\u200b", "0x1", "{", "]")


def literals() -> list[str]:
    """Every string that a rule looks for, and what makes rules work hardest behind it."""
    found = {*redaction_words.LATIN, *redaction_words.FOREIGN, *redaction_values.MEDIA, *FILLERS}
    for marks in redaction_marks.MARKS.values():
        found.update(marks.split())
    for anchors, *_ in redaction_marks.SHAPES:
        found.update(anchors)
    for rules in (
        redaction_structures.RULES,
        redaction_commands.RULES,
        redaction_commands.PLAIN_RULES,
        redaction_phrases.RULES,
        redaction_calls.RULES,
        *(family.TABLE for family in (redaction_numbers, redaction_positions, redaction_told)),
    ):
        for anchors, *_ in rules:
            found.update(anchors)
    found.update((*redaction_phrases._SEED_CUES, *redaction_phrases._CODE_CUES))
    found.update((*redaction_commands._DRIVERS, *redaction_encoded._MANIFESTS))
    found.update(f"-----BEGIN {title}-----" for title in redaction_pem._TITLES)
    found.update(f"-----END {title}-----" for title in redaction_pem._TITLES)
    found.update(
        ("password=", "key: ", "[redacted:", "[redacted:key]", "\x1b[1m", "Private-Lines:")
    )
    found.update(("abandon ", "://a:b", "Authorization: Bearer ", "cookie: a=b", "x1Y2z3W4v5 "))
    # Secrets in a row that stand beside what only a view reads.
    found.update(("://u:pA7b9@tcp(%41%42", "A7b9C3d1%41%42token", "://u:pA7b9@tcp(%41%42пароль"))
    found.update(("密码：A7b9C3d1E5 %41%42\n", "TOKEN=A7b9C3d1E5f2 %41%42 пароль\n"))
    found.update(("user,password\na,A7b9C3d1\n", "insert into a (pw) values ('A7b9C3d1')"))
    return sorted(found)


def hostile_texts(characters: int) -> dict[str, str]:
    """Texts by what they repeat."""
    chance = random.Random(SEED)
    pieces = literals()
    pieces += [f"{chance.choice(pieces)}{chance.choice(pieces)}" for _ in range(PAIRS)]
    return {piece: (piece * (characters // len(piece) + 1))[:characters] for piece in pieces}


def ordinary_text(characters: int) -> str:
    """What people and agents talk about: code and prose, here our own, but for the rules."""
    files = sorted(file for file in PACKAGE.rglob("*.py") if "redaction" not in file.name)
    text = "\n".join(re.sub(" {2,}", " ", file.read_text("utf-8")) for file in files)
    return (text * (characters // len(text) + 1))[:characters]


def cpu_seconds(text: str, runs: int = 2) -> float:
    """The best of some runs: a busy machine only ever adds."""
    return min(_timed(text) for _ in range(runs))


def _timed(text: str) -> float:
    started = time.process_time()
    redaction.redact(text)
    return time.process_time() - started


def slowest(characters: int) -> list[str]:
    """What costs most per letter, by a first look at shorter texts."""
    costs = {piece: _timed(text) for piece, text in hostile_texts(characters).items()}
    return sorted(costs, key=lambda piece: -costs[piece])[:LOOKED_AT]


def main() -> int:
    characters = int(sys.argv[1]) * 1_000 if len(sys.argv) > 1 else KILOBYTES * 1_000
    ordinary = cpu_seconds(ordinary_text(characters))
    candidates = slowest(characters // 20)
    texts = hostile_texts(characters)
    ratios = {piece: cpu_seconds(texts[piece]) / ordinary for piece in candidates}
    sys.stdout.write(f"ordinary text, {characters // 1_000} kB: {ordinary * 1_000:.0f} ms\n")
    for piece in sorted(ratios, key=lambda piece: -ratios[piece])[:10]:
        sys.stdout.write(f"{ratios[piece]:6.2f}x  {piece!r}\n")
    return int(max(ratios.values()) > RATIO_MAX)


if __name__ == "__main__":
    sys.exit(main())
