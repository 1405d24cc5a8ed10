"""Give Claude Code's settings back the window that they had before a change."""

from compact_guard.agents.claude_code import window_settings as reading
from compact_guard.errors import UsageError
from compact_guard.install import json_edit
from compact_guard.transcripts.facts import dictionary
from compact_guard.window.setting import UNSET, SettingChange

AGENT = reading.AGENT

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"

Json = dict[str, object]
Names = tuple[str, ...]


def restored(now: bytes, change: SettingChange) -> bytes:
    """`now` with the window as it was before the change, every other byte kept.

    The same bytes where there is nothing to restore. Raises UsageError.
    """
    present = _entries(reading.object_in(now))
    if change.then is not None:
        wanted = _entries(reading.object_in(change.then))
    else:
        wanted = _with_earlier(present, change)
    try:
        text = now.decode("utf-8-sig")
        for path in sorted(present.keys() - wanted.keys()):
            text = _without(text, path)
        for path, value in wanted.items():
            if present.get(path) != value:
                text = _with(text, path, value)
    except json_edit.JsonProblem as problem:
        raise UsageError(f"line {problem.line}: {problem.complaint}. {problem.mend}.") from None
    except UnicodeDecodeError:
        raise UsageError("not UTF-8. Save the file as UTF-8.") from None
    mark = _BYTE_ORDER_MARK if now.startswith(_BYTE_ORDER_MARK) else b""
    return mark + text.encode()


def _with_earlier(present: dict[Names, object], change: SettingChange) -> dict[Names, object]:
    """Only a command is known: what it chose, wherever that stands, becomes what was before."""
    before, after = change.before or UNSET, change.after.begins_at
    earlier = None if before.begins_at is None else before.begins_at + reading.HELD_BACK
    chosen = [path for path, value in present.items() if _is_window(path, value, after)]
    kept = {path: value for path, value in present.items() if path not in chosen}
    return kept if earlier is None else kept | dict.fromkeys(chosen, earlier)


def _is_window(path: Names, value: object, begins_at: int | None) -> bool:
    is_size = path[-1] == reading.WINDOW and begins_at is not None
    return is_size and reading.setting_of("", value).begins_at == begins_at


def _entries(told: Json) -> dict[Names, object]:
    """Whatever decides on the window, by where it stands."""
    environment = dictionary(told.get("env"))
    names = (reading.WINDOW_VARIABLE, reading.SHARE_VARIABLE, *reading.OFF_VARIABLES)
    found: dict[Names, object] = {
        (key,): told[key] for key in (reading.WINDOW, reading.ENABLED) if key in told
    }
    found |= {("env", name): environment[name] for name in names if name in environment}
    for model, own in dictionary(told.get(reading.MODELS)).items():
        if reading.WINDOW in dictionary(own):
            found[reading.MODELS, model, reading.WINDOW] = own[reading.WINDOW]
    return found


def _with(text: str, path: Names, value: object) -> str:
    container = json_edit.parse(text)
    for depth, key in enumerate(path):
        node = json_edit.child(text, container, key)
        if node is None:
            for outer in reversed(path[depth + 1 :]):
                value = {outer: value}
            return json_edit.append(text, container, key, value)[0]
        container = node
    return json_edit.replace(text, container, value)


def _without(text: str, path: Names) -> str:
    """Containers that hold nothing else go with it."""
    nodes = [json_edit.parse(text)]
    for key in path:
        node = json_edit.child(text, nodes[-1], key)
        if node is None:
            return text
        nodes.append(node)
    depth = len(path) - 1
    while depth and len(json_edit.children(text, nodes[depth])) == 1:
        depth -= 1
    siblings = json_edit.children(text, nodes[depth])
    return json_edit.remove(text, nodes[depth], siblings.index(nodes[depth + 1]))
