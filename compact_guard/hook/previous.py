"""What the session's previous checkpoint holds: what was said before the first compaction must
still be there after the eighth."""

from compact_guard.hook import checkpoint, items
from compact_guard.hook.limits import CHECKPOINT_AGE_SECONDS_MAX

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from compact_guard.hook.items import Item
    from compact_guard.hook.transcript import Transcript


class Previous:
    """Items of the previous checkpoint, oldest first, and how far it had read the transcript."""

    def __init__(self, carried: "list[Item]", read_until: int) -> None:
        self.items = carried
        self.read_until = read_until


def find(agent: str, row: "dict[str, Any]", transcript: "Transcript") -> Previous:
    """The newest checkpoint of this very session and transcript; nothing if in any doubt."""
    for saved in _saved(row["session_hash"]):
        try:
            content = checkpoint.load(saved, agent, row["session_hash"], CHECKPOINT_AGE_SECONDS_MAX)
            if content["transcript_hash"] == row["transcript_hash"]:
                return _previous(content, transcript)
        except (checkpoint.Refused, OSError, ValueError, KeyError, TypeError):
            continue
    return Previous([], 0)


def _saved(session_hash: str) -> list[checkpoint.Saved]:
    try:
        return checkpoint.all_saved(checkpoint.session_folder(session_hash))
    except OSError:
        return []  # saving will meet and report it


def _previous(content: "dict[str, Any]", transcript: "Transcript") -> Previous:
    read_until = int(content["read_until"])
    is_same = 0 < read_until <= transcript.complete_bytes
    if not is_same or transcript.read(read_until - 1, read_until) != b"\n":
        raise ValueError("the transcript was rewritten")
    return carried_from(content)


def carried_from(content: "dict[str, Any]") -> Previous:
    """What a verified checkpoint hands on. Raises KeyError, TypeError, ValueError if it is none."""
    read_until = int(content["read_until"])
    carried = [items.from_json(item) for item in [*content["items"], *content["reserve"]]]
    carried.sort(key=lambda item: item.offset or read_until)
    return Previous(carried, read_until)
