"""The `console` blocks of a document: what to type, and what it prints.

A block holds commands (`$ `, continued by `> `) and what they print; `…` stands for whatever
differs. A command without shown output may print what it likes.
"""

import re
from typing import NamedTuple


class Command(NamedTuple):
    """What to type, and what is shown to be printed."""

    typed: str
    shown: str


def blocks_of(document: str) -> list[tuple[str, str]]:
    """Each fenced block: its language and its content."""
    return re.findall(r"^```(\w*)\n(.*?)^```$", document, re.MULTILINE | re.DOTALL)


def commands_in(block: str) -> list[Command]:
    """The commands of one block, each with the output below it."""
    found: list[Command] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append(Command(line[2:], ""))
        elif line.startswith("> ") and not found[-1].shown:
            found[-1] = Command(f"{found[-1].typed}\n{line[2:]}", "")
        else:
            assert found, f"output without a command: {line}"
            found[-1] = Command(found[-1].typed, f"{found[-1].shown}{line}\n")
    return found


def commands_of(document: str) -> list[Command]:
    """The commands of all its console blocks, in order."""
    return [
        command
        for kind, block in blocks_of(document)
        if kind == "console"
        for command in commands_in(block)
    ]


def pattern_of(shown: str) -> re.Pattern[str]:
    """A line of nothing but `…` is any number of lines; within a line `…` is any text."""
    lines = [
        r"(?:.*\n)*?" if line == "…" else re.escape(line).replace("…", ".*?") + r"\n"
        for line in shown.splitlines()
    ]
    return re.compile("".join(lines))
