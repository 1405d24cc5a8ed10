"""What people say, in three languages, and the half of it that the rules were not tuned on."""

from pathlib import Path

LANGUAGES = ("en", "ru", "zh")
HALVES = ("tuned", "held out")
RULES = ("corrections", "decisions", "constraints")
_FOLDER = Path(__file__).with_name("phrases")


def load(language: str, half: str) -> dict[str, list[str]]:
    """Section name to its phrases: every other line, the first for `tuned`."""
    sections: dict[str, list[str]] = {}
    name = ""
    for line in (_FOLDER / f"{language}.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            name = line.strip("[]")
            sections[name] = []
        elif line and not line.startswith("#"):
            sections[name].append(line)
    start = HALVES.index(half)
    return {name: lines[start::2] for name, lines in sections.items()}
