"""Which of several settings files count: what one says may stand above or beneath another."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from compact_guard.window.setting import UNSET, Setting, Version

if TYPE_CHECKING:
    from compact_guard.agents.contract import WindowSettings

Settings = dict[str | None, Setting]

USERS = 0
PROJECTS = 1  # and above, up to
MANAGED = 100


class Layer(NamedTuple):
    """A settings file with its versions, oldest first.

    Of two that say something different, the one of higher `rank` counts. `rank` None: a file that
    was named by hand, of which nobody knows beside which others it was in force. `project` None:
    it is every project's.
    """

    path: Path
    project: Path | None
    rank: int | None
    versions: tuple[Version, ...]


def settings_with(
    agent: "WindowSettings",
    layer: Layer,
    content: bytes | None,
    others: Iterable[Layer],
    at: datetime,
) -> Settings:
    """What counts at that moment if the layer's file holds `content`, beside the other files."""
    beside = [other for other in others if _is_beside(other, layer)]
    stacked = [(other.rank, in_force(other, at)) for other in beside] + [(layer.rank, content)]
    stacked.sort(key=lambda ranked: ranked[0] or USERS)
    contents = [found for _, found in stacked if found is not None]
    return agent.settings_in(*contents) or {None: UNSET}


def in_force(layer: Layer, at: datetime) -> bytes | None:
    """What the file held then; None: nothing, as far as is known."""
    past = [version.content for version in layer.versions if version.at <= at]
    return past[-1] if past else None


def managed(layers: Iterable[Layer], at: datetime) -> Sequence[bytes]:
    """What an administrator had settled then, the file that counts most last."""
    above = sorted(
        (layer for layer in layers if (layer.rank or USERS) >= MANAGED),
        key=lambda layer: layer.rank or USERS,
    )
    return [content for layer in above if (content := in_force(layer, at)) is not None]


def _is_beside(other: Layer, layer: Layer) -> bool:
    if other.path == layer.path or other.rank is None or layer.rank is None:
        return False
    return other.project in (None, layer.project)
