"""Labelled texts, made anew from a seed: secrets of many kinds in many forms, and look-alikes.

Kinds and forms are split in halves by their names. Rules are tuned on `tuned`; `unseen` has
other kinds in other forms, and only its score says what the rules are worth.
"""

import json
import random
import re
import sys
import zlib
from collections.abc import Iterator

from tests.redaction import benign, commands, forms, kinds, structures, surroundings, twins
from tests.redaction.values import made

HALVES = ("tuned", "unseen")
SEED = 20261130
NAMED_FORMS_PER_KIND = 6
BARE_FORMS_PER_KIND = 3
COPIES = 2


class Record:
    """A text, the secrets in it (none if it is benign), and where it comes from."""

    def __init__(self, text: str, secrets: list[str], kind: str, form: str) -> None:
        self.text, self.secrets, self.kind, self.form = text, secrets, kind, form

    @property
    def id(self) -> str:
        return f"{self.kind}/{self.form}"


def half_of(name: str) -> str:
    """Which half a kind or a form belongs to."""
    return HALVES[zlib.crc32(name.encode()) >> 7 & 1]


def records(half: str, seed: int = SEED) -> list[Record]:
    """All texts of one half."""
    chance = random.Random(f"{seed} {half}")
    return [*_of_kinds(half, chance), *_of_structures(half, chance), *_benign(half, chance)]


def _of_kinds(half: str, chance: random.Random) -> Iterator[Record]:
    named = [name for name in forms.NAMED if half_of(name) == half]
    bare = [name for name in forms.BARE if half_of(name) == half]
    for kind in kinds.KINDS:
        if half_of(kind.name) != half:
            continue
        chosen = chance.sample(named, NAMED_FORMS_PER_KIND)
        chosen += chance.sample(bare, BARE_FORMS_PER_KIND) if kind.bare else []
        for form in chosen:
            value = made(kind.shape, chance)
            template = forms.NAMED.get(form) or forms.BARE[form]
            text = forms.filled(template, kind, value)
            yield Record(text, [value], kind.name, form)


def _of_structures(half: str, chance: random.Random) -> Iterator[Record]:
    templates = structures.STRUCTURES | commands.COMMANDS | surroundings.SURROUNDINGS
    for name, template in templates.items():
        if half_of(name) == half:
            for _ in range(COPIES):
                marked = made(template, chance)
                secrets = re.findall(r"⟦(.*?)⟧", marked, re.DOTALL)
                yield Record(re.sub("[⟦⟧]", "", marked), secrets, name, "structure")


def _benign(half: str, chance: random.Random) -> Iterator[Record]:
    for family, templates in (benign.BENIGN | twins.TWINS).items():
        for number, template in enumerate(templates):
            if HALVES[number % 2] == half:
                yield Record(made(template, chance), [], family, f"benign-{number}")


def main() -> None:
    """Print one half in the form that a redactor reads and a scorer knows."""
    for number, record in enumerate(records(sys.argv[1])):
        row = {"id": str(number), "text": record.text, "kind": record.kind, "form": record.form}
        row |= {"label": "secret" if record.secrets else "benign", "family": record.kind}
        row |= {"seen": False, "secrets": [{"value": v, "core": v} for v in record.secrets]}
        sys.stdout.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main()
