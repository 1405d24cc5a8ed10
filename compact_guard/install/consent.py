"""Show a plan in a terminal or a pipe, and ask before anything is written."""

import difflib
import os
import sys
from collections.abc import Iterable, Mapping
from typing import TextIO

from compact_guard.errors import UsageError

_COLOURS = {"+": "\x1b[32m", "-": "\x1b[31m", "@": "\x1b[36m"}
_END = "\x1b[0m"


def say(lines: Iterable[str]) -> None:
    """Write lines to stdout; what its encoding cannot show is written as an escape."""
    text = "".join(f"{line}\n" for line in lines)
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
    sys.stdout.flush()


def has_colours(stream: TextIO, environment: Mapping[str, str]) -> bool:
    """Only a terminal that can, and a person who did not set NO_COLOR, get colours."""
    wanted = not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"
    return wanted and stream.isatty()


def diff(name: str, before: bytes | None, after: bytes | None) -> list[str]:
    """A unified diff of two UTF-8 files, in colours where stdout takes them. None: no file.

    Byte order mark and line ends are not shown.
    """
    old, new = ("(no file)" if content is None else name for content in (before, after))
    lines = [
        _printable(line)
        for line in difflib.unified_diff(_lines(before), _lines(after), old, new, lineterm="")
    ]
    if not has_colours(sys.stdout, os.environ):
        return lines
    return [f"{_COLOURS[line[0]]}{line}{_END}" if line[:1] in _COLOURS else line for line in lines]


def _lines(content: bytes | None) -> list[str]:
    text = (content or b"").decode("utf-8-sig").replace("\r\n", "\n")
    return text.removesuffix("\n").split("\n") if text else []


def _printable(line: str) -> str:
    """The settings of a stranger's project must not steer the terminal that shows them."""
    return "".join(char if char.isprintable() or char == "\t" else "\ufffd" for char in line)


def given(is_promised: bool, question: str = "Write this?") -> bool:
    """Whether the person agrees: `--yes`, or `y` at the terminal.

    Raises UsageError where nobody can be asked, KeyboardInterrupt on Ctrl-C.
    """
    if is_promised:
        return True
    if not sys.stdin.isatty():
        raise UsageError("nobody to ask, since stdin is no terminal: look at the plan, add --yes")
    sys.stdout.write(f"{question} [y/N] ")
    sys.stdout.flush()
    answer = sys.stdin.readline()
    if not answer.endswith("\n"):
        sys.stdout.write("\n")
    return answer.strip().lower() in ("y", "yes")
