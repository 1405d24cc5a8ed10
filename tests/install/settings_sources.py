"""Settings files as people and formatters write them: hypothesis strategies for their bytes."""

import json
from collections.abc import Callable

from hypothesis import strategies as st

from compact_guard.install.hook_block import Registration

BLANKS = st.sampled_from(["", "", " ", "  ", "\n", "\t", "\n\n    ", "\r\n", " \n "])
NUMBERS = st.sampled_from(["0", "-0", "1e5", "1.50", "12345678901234567890", "-3E-2", "9" * 5000])
WORDS = st.sampled_from(
    ["model", "theme", "command", "hooks", "matcher", "Stop", "ключ", "名", "é"]
)


def spelled(text: str) -> st.SearchStrategy[str]:
    """A JSON string in one of its spellings."""
    raw = json.dumps(text, ensure_ascii=False)
    escaped = '"' + "".join(f"\\u{ord(char):04x}" for char in text) + '"'
    return st.sampled_from([raw, raw, json.dumps(text), escaped])


STRINGS = st.one_of(
    WORDS.flatmap(spelled), st.text(max_size=5).map(json.dumps), st.just('"\\ud800"')
)
SCALARS = st.one_of(STRINGS, NUMBERS, st.sampled_from(["true", "false", "null"]))


@st.composite
def written(draw: Callable, opening: str, closing: str, parts: list[str]) -> str:
    """A container in one of many layouts: minified, on one line, indented, or by no rule at all."""
    layout = draw(st.sampled_from(["minified", "one line", "  ", "\t", "    ", "any"]))
    if not parts:
        return opening + draw(BLANKS) + closing
    if layout == "minified":
        return opening + ",".join(parts) + closing
    if layout == "one line":
        return f"{opening} {', '.join(parts)} {closing}"
    if layout == "any":
        spaced = [draw(BLANKS) + part + draw(BLANKS) for part in parts]
        return opening + ",".join(spaced) + closing
    lines = [f"{layout}{part}".replace("\n", f"\n{layout}") for part in parts]
    return opening + "\n" + ",\n".join(lines) + "\n" + closing


@st.composite
def members(draw: Callable, pairs: list[tuple[str, str]]) -> str:
    """An object with these keys and already written values, in this order, duplicates and all."""
    colon = draw(st.sampled_from([":", ": ", " : ", ":\n"]))
    return draw(written("{", "}", [draw(spelled(key)) + colon + value for key, value in pairs]))


def items(values: list[str]) -> st.SearchStrategy[str]:
    return written("[", "]", values)


VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).flatmap(items),
        st.lists(st.tuples(WORDS, inner), max_size=3).flatmap(members),
    ),
    max_leaves=6,
)


@st.composite
def strangers_groups(draw: Callable) -> str:
    """A list of groups as other tools leave them, the odd piece of nonsense included."""
    entry = members([("type", '"command"'), ("command", '"other-tool --run"')])
    group = (
        st.lists(entry, max_size=2)
        .flatmap(items)
        .flatmap(lambda inner: members([("matcher", '"auto"'), ("hooks", inner)]))
    )
    return draw(
        items([draw(st.one_of(group, group, VALUES)) for _ in range(draw(st.integers(0, 2)))])
    )


@st.composite
def hook_blocks(draw: Callable) -> str:
    events = st.sampled_from(["PreCompact", "SessionStart", "PostCompact", "Stop", "PreToolUse"])
    names = draw(st.lists(events, max_size=4))
    return draw(members([(name, draw(strangers_groups())) for name in names]))


@st.composite
def documents(draw: Callable) -> str:
    pairs = draw(st.lists(st.tuples(st.sampled_from(["model", "env", "ключ"]), VALUES), max_size=3))
    for _ in range(draw(st.sampled_from([0, 0, 1, 1, 1, 2]))):
        pairs.insert(draw(st.integers(0, len(pairs))), ("hooks", draw(hook_blocks())))
    return draw(BLANKS) + draw(members(pairs)) + draw(BLANKS)


@st.composite
def settings_bytes(draw: Callable) -> bytes | None:
    """The bytes of a settings file; None: it does not exist."""
    text = draw(st.one_of(documents(), documents(), documents(), BLANKS, st.none()))
    if text is None:
        return None
    if draw(st.booleans()):
        text = text.replace("\r\n", "\n").replace("\n", "\r\n")
    return draw(st.sampled_from([b"", b"", b"\xef\xbb\xbf"])) + text.encode()


def our_registrations(python: str = "/opt/venv/bin/python") -> list[Registration]:
    """What install wants to register, for an environment at `python`."""
    hook = "/opt/venv/lib/compact_guard/hook/__main__.py"
    command = f"{python} -I -S {hook} claude-code"
    return [
        Registration("PreCompact", None, f"{command} pre_compact", 30),
        Registration("SessionStart", "compact", f"{command} session_start", 30),
        Registration("PostCompact", None, f"{command} post_compact", 30),
    ]


def is_subsequence(kept: bytes, whole: bytes) -> bool:
    """Whether `whole` is `kept` with bytes inserted: nothing removed, nothing reordered."""
    rest = iter(whole)
    return all(byte in rest for byte in kept)
