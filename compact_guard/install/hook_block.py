"""Our entries in the `hooks` block of an agent's settings: add, find, remove, nothing else.

Agents share the shape: "hooks" -> event name -> list of groups -> the group's "hooks" ->
list of entries. An entry is ours if its command runs our hook, whatever interpreter or
folder it names, so that an upgrade or a moved environment replaces it. We always add a
group of our own; a stranger's group is never extended.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from compact_guard.install import json_edit
from compact_guard.install.json_edit import JsonProblem, Node

MARK = "compact_guard/hook/__main__.py"
_BLOCK = "hooks"


@dataclass(frozen=True)
class Registration:
    """One hook: the agent's own event name, its matcher (None: every kind), command, seconds."""

    event: str
    matcher: str | None
    command: str
    timeout_seconds: int

    def group(self) -> dict[str, object]:
        """The group as it stands in the settings."""
        entry = {"type": "command", "command": self.command, "timeout": self.timeout_seconds}
        matcher = {} if self.matcher is None else {"matcher": self.matcher}
        return {**matcher, _BLOCK: [entry]}


# Containers that hold nothing without us, by path ("" root, "hooks", "hooks/<event>"): the
# blanks that an empty one held, or None where we created it.
Traces = Mapping[str, str | None]


@dataclass(frozen=True)
class Entry:
    """One hook of whoever, and where it stands: the event's group, the entry in the group."""

    event: str
    group: int
    index: int
    matcher: str | None
    command: str
    is_ours: bool


@dataclass(frozen=True)
class _Found:
    """An entry of ours: the containers around it, outermost first, and its position in each."""

    containers: tuple[Node, ...]
    positions: tuple[int, ...]
    event: str
    group: dict[str, object]


def is_installed(text: str, wanted: list[Registration]) -> bool:
    """Whether exactly the wanted entries of ours stand in the text, each once."""
    present = [(found.event, found.group) for found in _ours(text, json_edit.parse(text))]
    return sorted(present, key=repr) == sorted(
        ((registration.event, registration.group()) for registration in wanted), key=repr
    )


def entries(text: str) -> list[Entry]:
    """Every entry with a command, in order; raises JsonProblem where the text is not JSON."""
    found = []
    for chain, positions in _descend(text, (json_edit.parse(text),), ()):
        command, matcher = _command_of(chain[-1]), None
        if isinstance(chain[3].value, dict):
            matcher = chain[3].value.get("matcher")
        if command is not None:
            found.append(
                Entry(
                    str(chain[2].key),
                    positions[2],
                    positions[4],
                    matcher if isinstance(matcher, str) else None,
                    command,
                    _is_our_command(command),
                )
            )
    return found


def has_entries(text: str) -> bool:
    """Whether any entry of ours stands in the text."""
    return next(_ours(text, json_edit.parse(text)), None) is not None


def check(text: str, events: tuple[str, ...]) -> None:
    """Raise JsonProblem, with the place, where the text is no settings file we can edit."""
    root = json_edit.parse(text)
    _demand(text, root, dict, "the file must hold one JSON object")
    for block in (node for node in json_edit.children(text, root) if node.key == _BLOCK):
        _demand(text, block, dict, '"hooks" must be an object')
        for event in json_edit.children(text, block):
            if event.key in events:
                _demand(text, event, list, f'"{event.key}" must be a list')


def _demand(text: str, node: Node, kind: type, complaint: str) -> None:
    if not isinstance(node.value, kind):
        raise JsonProblem(text, node.value_start, complaint, "Correct or remove that value")


def add(text: str, wanted: list[Registration]) -> tuple[str, dict[str, str | None]]:
    """Append one group per registration; the traces let `remove` give the old text back."""
    traces: dict[str, str | None] = {}
    for registration in wanted:
        text = _add_one(text, registration, traces)
    return text, traces


def _add_one(text: str, wanted: Registration, traces: dict[str, str | None]) -> str:
    event_path = f"{_BLOCK}/{wanted.event}"

    def append(container: Node, path: str, key: str | None, value: object) -> str:
        longer, blanks = json_edit.append(text, container, key, value)
        if blanks is not None:
            traces[path] = blanks
        return longer

    root = json_edit.parse(text)
    block = json_edit.child(text, root, _BLOCK)
    if block is None:
        traces[_BLOCK] = traces[event_path] = None
        return append(root, "", _BLOCK, {wanted.event: [wanted.group()]})
    groups = json_edit.child(text, block, wanted.event)
    if groups is None:
        traces[event_path] = None
        return append(block, _BLOCK, wanted.event, [wanted.group()])
    return append(groups, event_path, None, wanted.group())


def remove(text: str, traces: Traces | None) -> str:
    """The text without our entries and without the containers that only they filled.

    Without traces (the record is gone) an emptied list or "hooks" object counts as ours.
    """
    while (found := next(_ours(text, json_edit.parse(text)), None)) is not None:
        text = _without(text, found, traces)
    return text


def _without(text: str, found: _Found, traces: Traces | None) -> str:
    def is_alone(level: int) -> bool:
        return len(json_edit.children(text, found.containers[level])) == 1

    paths = ("", _BLOCK, f"{_BLOCK}/{found.event}")
    # A group (2) whose list (4) held nothing but our entry was made by us and goes whole.
    level = 2 if is_alone(4) else 4
    while level in (1, 2) and is_alone(level) and _is_ours_to_remove(paths[level], traces):
        level -= 1
    blanks = (traces or {}).get(paths[level]) if level < len(paths) else None
    return json_edit.remove(text, found.containers[level], found.positions[level], blanks or "")


def _is_ours_to_remove(path: str, traces: Traces | None) -> bool:
    return traces is None or traces.get(path, "") is None


def _ours(text: str, root: Node) -> Iterator[_Found]:
    for chain, positions in _descend(text, (root,), ()):
        _, _, event, group, _, entry = chain
        command = _command_of(entry)
        if command is not None and _is_our_command(command):
            assert isinstance(group.value, dict)
            yield _Found(chain[:-1], positions, str(event.key), group.value)


def _command_of(entry: Node) -> str | None:
    command = entry.value.get("command") if isinstance(entry.value, dict) else None
    return command if isinstance(command, str) else None


def _is_our_command(command: str) -> bool:
    return MARK in command.replace("\\", "/")


def _descend(
    text: str, chain: tuple[Node, ...], positions: tuple[int, ...]
) -> Iterator[tuple[tuple[Node, ...], tuple[int, ...]]]:
    """Every path root -> "hooks" -> event -> group -> "hooks" -> entry, whatever lies beside it."""
    shape = ((dict, _BLOCK), (dict, None), (list, None), (dict, _BLOCK), (list, None))
    if len(chain) > len(shape):
        yield chain, positions
        return
    kind, key = shape[len(chain) - 1]
    if not isinstance(chain[-1].value, kind):
        return
    for position, node in enumerate(json_edit.children(text, chain[-1])):
        if key is None or node.key == key:
            yield from _descend(text, (*chain, node), (*positions, position))
