"""Edit JSON text in place: what is not inserted or removed keeps its bytes.

`json` decides what is valid and where a value ends; this module only remembers where
each value stands. Libraries that keep the formatting exist, but the base install has no
dependency, and a settings editor needs three operations: append, replace and remove a child.
"""

import json
import re
from dataclasses import dataclass
from typing import NoReturn

_BLANKS = re.compile(r"[ \t\r\n]*")
_STRING_OR_CONSTANT = re.compile(r'"(?:[^"\\]|\\.)*"|(?P<constant>NaN|-?Infinity)')
_INTEGER_DIGITS_MAX = 300  # beyond it `int` is slow, and refuses at 4,300 digits


class JsonProblem(ValueError):
    """The text cannot be edited: `line` and `column` count from 1, `mend` says what to do."""

    def __init__(self, text: str, offset: int, complaint: str, mend: str) -> None:
        super().__init__(complaint)
        self.line = text.count("\n", 0, offset) + 1
        self.column = offset - (text.rfind("\n", 0, offset) + 1) + 1
        self.complaint = complaint
        self.mend = mend


@dataclass(frozen=True)
class Node:
    """One value, text[value_start:end]; `start` is where its key begins, or else itself."""

    key: str | None
    start: int
    value_start: int
    end: int
    value: object


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _integer(digits: str) -> int | str:
    return int(digits) if len(digits) < _INTEGER_DIGITS_MAX else digits


_DECODER = json.JSONDecoder(
    parse_constant=_refuse_constant, parse_int=_integer, parse_float=lambda digits: digits
)


def parse(text: str) -> Node:
    """The root value of strict JSON text (no byte order mark); raises JsonProblem."""
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise _explained(text, error) from None
    except RecursionError:
        raise JsonProblem(text, 0, "nested too deeply", "Flatten it") from None
    except ValueError as error:
        raise _constant_problem(text, str(error)) from None
    start = _after_blanks(text, 0)
    return Node(None, start, start, len(text.rstrip(" \t\r\n")), value)


def _explained(text: str, error: json.JSONDecodeError) -> JsonProblem:
    here = _after_blanks(text, error.pos)
    before = text[:here].rstrip(" \t\r\n")
    if text.startswith(("//", "/*"), here):
        return JsonProblem(text, here, "comments are not JSON", "Remove the comment")
    if before.endswith(",") and text[here : here + 1] in ("}", "]"):
        return _trailing_comma(text, len(before) - 1)
    if text[here : here + 1] == "," and text[_after_blanks(text, here + 1) :][:1] in ("}", "]"):
        return _trailing_comma(text, here)
    complaint = f"not valid JSON: {error.msg.removesuffix(' at')}"
    return JsonProblem(text, error.pos, complaint, "Mend the JSON there")


def _constant_problem(text: str, complaint: str) -> JsonProblem:
    found = (match.start("constant") for match in _STRING_OR_CONSTANT.finditer(text))
    offset = next(start for start in found if start >= 0)
    return JsonProblem(text, offset, complaint, "Write a number or null instead")


def _trailing_comma(text: str, offset: int) -> JsonProblem:
    return JsonProblem(text, offset, "a trailing comma is not JSON", "Remove the comma")


def children(text: str, container: Node) -> list[Node]:
    """The members of an object or the items of an array, in order, duplicate keys included."""
    found = []
    at = _after_blanks(text, container.value_start + 1)
    while text[at] not in "}]":
        start, key = at, None
        if isinstance(container.value, dict):
            key, at = _DECODER.raw_decode(text, at)
            at = _after_blanks(text, _after_blanks(text, at) + 1)
        value, end = _DECODER.raw_decode(text, at)
        found.append(Node(key, start, at, end, value))
        at = _after_blanks(text, end)
        if text[at] == ",":
            at = _after_blanks(text, at + 1)
    return found


def child(text: str, container: Node, key: str) -> Node | None:
    """The member named `key`; of duplicates the last, which is the one that JSON readers take."""
    named = [node for node in children(text, container) if node.key == key]
    return named[-1] if named else None


def append(text: str, container: Node, key: str | None, value: object) -> tuple[str, str | None]:
    """Add a last child in the style of the text.

    Returns the new text and the blanks that an empty container held (None: it had
    children); `remove` with those blanks as `filling` gives the old text back.
    """
    existing = children(text, container)
    style = _style(text)
    if existing:
        lead = text[container.value_start + 1 : existing[0].start]
        indent = lead.rpartition("\n")[2] if "\n" in lead else None
        separator = style.item_separator if indent is None else f",{style.newline}{indent}"
        added = separator + style.render(key, value, indent)
        return _spliced(text, existing[-1].end, existing[-1].end, added), None
    opening, closing = container.value_start + 1, container.end - 1
    outer = _line_indent(text, container.value_start) if style.is_multiline else None
    if outer is None:
        added = style.render(key, value, None)
    else:
        inner = outer + style.unit
        added = f"{style.newline}{inner}{style.render(key, value, inner)}{style.newline}{outer}"
    return _spliced(text, opening, closing, added), text[opening:closing]


def replace(text: str, node: Node, value: object) -> str:
    """Another value in the place of this one."""
    return _spliced(text, node.value_start, node.end, json.dumps(value, ensure_ascii=False))


def remove(text: str, container: Node, position: int, filling: str = "") -> str:
    """Take one child out, with the comma that it needed; `filling` goes where the last one was."""
    siblings = children(text, container)
    gone = siblings[position]
    if len(siblings) == 1:
        return _spliced(text, container.value_start + 1, container.end - 1, filling)
    if position == 0:
        return _spliced(text, gone.start, siblings[1].start, "")
    return _spliced(text, siblings[position - 1].end, gone.end, "")


@dataclass(frozen=True)
class _Style:
    newline: str
    unit: str
    item_separator: str
    key_separator: str
    is_multiline: bool

    def render(self, key: str | None, value: object, indent: str | None) -> str:
        """One child; `indent` is that of its own line, None keeps everything on one line."""
        separators = (self.item_separator if indent is None else ",", self.key_separator)
        unit = None if indent is None else self.unit
        body = json.dumps(value, indent=unit, separators=separators, ensure_ascii=False)
        body = body.replace("\n", f"{self.newline}{indent}")
        return body if key is None else json.dumps(key) + self.key_separator + body


def _style(text: str) -> _Style:
    root = parse(text)
    members = children(text, root)
    newline = "\r\n" if text.partition("\n")[0].endswith("\r") else "\n"
    if not members:
        return _Style(newline, "  ", ", ", ": ", is_multiline=True)
    first = members[0]
    lead = text[root.value_start + 1 : first.start]
    is_spaced = text[first.value_start - 1].isspace()
    return _Style(
        newline,
        lead.rpartition("\n")[2] if "\n" in lead else "  ",
        ", " if is_spaced else ",",
        ": " if is_spaced else ":",
        is_multiline="\n" in lead,
    )


def _line_indent(text: str, offset: int) -> str:
    line_start = text.rfind("\n", 0, offset) + 1
    return text[line_start : min(_after_blanks(text, line_start), offset)]


def _after_blanks(text: str, offset: int) -> int:
    blanks = _BLANKS.match(text, offset)
    return blanks.end() if blanks else offset


def _spliced(text: str, start: int, end: int, replacement: str) -> str:
    return text[:start] + replacement + text[end:]
