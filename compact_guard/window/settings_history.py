"""When was another window set? By settings files and their versions, commands, and sessions."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import groupby, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from compact_guard.agents import registry
from compact_guard.transcripts.decompression import DamagedStream
from compact_guard.transcripts.heads import first_bytes
from compact_guard.window import file_versions, setting_layers
from compact_guard.window.setting import UNSET, Head, Setting, SettingChange, Version
from compact_guard.window.setting_layers import MANAGED, PROJECTS, USERS, Layer, Settings

if TYPE_CHECKING:
    from compact_guard.agents.contract import WindowSettings

# A single session may have been started with a window of its own.
_SESSIONS_MIN = 2
_BEGINNING_BYTES = 1 << 17  # the first line of a rollout holds all instructions


class Places(NamedTuple):
    """Where to look: the transcripts of a study, and settings files that were named by hand."""

    transcripts: tuple[Path, ...]
    named: tuple[Path, ...] = ()


class History(NamedTuple):
    """Every change on record, oldest first; the settings files looked at, and whose they are."""

    changes: list[SettingChange]
    files: list[tuple[str, Path]]


def look(places: Places, environment: Mapping[str, str]) -> History:
    """What is to be found. A user's settings tell only of transcripts in the same home, a
    project's of those that name its folder; what sessions recorded tells of themselves."""
    changes: list[SettingChange] = []
    looked_at: list[tuple[str, Path]] = []
    agents = registry.window_settings()
    for agent, heads in zip(agents, _heads(agents, places.transcripts), strict=True):
        is_own = _is_any_below(agent.home(environment), heads)
        layers = _layers(agent, places.named, heads.values(), environment if is_own else None)
        found = list(_recorded(agent, heads.values()))
        for layer in layers:
            found += _of_file(agent, layer, layers)
        if is_own:
            found += _of_commands(agent, environment, layers)
        changes += _without_the_vaguer(found)
        looked_at += [(agent.AGENT, layer.path) for layer in layers]
    changes.sort(key=lambda change: (change.at, change.agent, change.evidence))
    return History(changes, looked_at)


def _heads(
    agents: Sequence["WindowSettings"], transcripts: Iterable[Path]
) -> list[dict[Path, Head]]:
    """What each agent finds in the transcripts that are its own; no beginning is held."""
    found: list[dict[Path, Head]] = [{} for _ in agents]
    for transcript in transcripts:
        with suppress(OSError, DamagedStream):
            beginning = first_bytes(transcript, _BEGINNING_BYTES)
            for agent, heads in zip(agents, found, strict=True):
                if head := agent.head(beginning):
                    heads[transcript] = head
    return found


def _is_any_below(home: Path, transcripts: Iterable[Path]) -> bool:
    real = Path(os.path.realpath(home))
    folders = {transcript.parent for transcript in transcripts}
    return any(Path(os.path.realpath(folder)).is_relative_to(real) for folder in folders)


def _layers(
    agent: "WindowSettings",
    named: Iterable[Path],
    heads: Iterable[Head],
    environment: Mapping[str, str] | None,
) -> list[Layer]:
    """Each file once; the user's before a project's, for a home may be worked in, too."""
    found: dict[Path, tuple[Path | None, int | None]] = {}
    if environment is not None:
        users, *above = agent.files(None, environment)
        found[users] = (None, USERS)
        found |= {path: (None, MANAGED + number) for number, path in enumerate(above)}
        for project in dict.fromkeys(head.project for head in heads if head.project):
            for number, path in enumerate(reversed(agent.files(project, environment))):
                if os.path.isdir(path.parent):  # noqa: PTH112 - a folder of strangers may be closed
                    found.setdefault(path, (project, PROJECTS + number))
    for path in named:
        if path.suffix == agent.SUFFIX:
            found.setdefault(path, (None, None))
    return [
        Layer(path, project, rank, tuple(file_versions.of(path, agent.AGENT)))
        for path, (project, rank) in found.items()
    ]


def _of_file(
    agent: "WindowSettings", layer: Layer, layers: Iterable[Layer]
) -> Iterator[SettingChange]:
    """Where a version of the file made another window count than the version before it."""
    readable = [version for version in layer.versions if _is_readable(agent, version)]
    for earlier, later in pairwise(readable):
        was, now = (
            setting_layers.settings_with(agent, layer, version.content, layers, later.at)
            for version in (earlier, later)
        )
        for model in was.keys() | now.keys():
            before, after = _of_model(was, model), _of_model(now, model)
            if not _is_same(before, after):
                yield SettingChange(
                    agent.AGENT,
                    later.at,
                    None if later.is_moment_of_change else earlier.at,
                    before,
                    after,
                    model,
                    layer.project,
                    layer.path,
                    later.evidence,
                    earlier.content or b"",
                )


def _is_readable(agent: "WindowSettings", version: Version) -> bool:
    return version.content is None or bool(agent.settings_in(version.content))


def _of_model(settings: Settings, model: str | None) -> Setting:
    return settings.get(model, settings.get(None, UNSET))


def _is_same(one: Setting, other: Setting) -> bool:
    if one.begins_at is None and other.begins_at is None:
        return one.words == other.words
    return one.begins_at == other.begins_at


def _of_commands(
    agent: "WindowSettings", environment: Mapping[str, str], layers: Sequence[Layer]
) -> Iterator[SettingChange]:
    before: Setting | None = None
    for chosen in sorted(agent.commands(environment)):
        above = setting_layers.managed(layers, chosen.at)
        after = agent.beneath(chosen.setting, above)
        is_overruled = not _is_same(chosen.setting, after)
        if not is_overruled and (before is None or not _is_same(before, after)):
            yield SettingChange(
                agent.AGENT,
                chosen.at,
                None,
                before,
                after,
                chosen.model,
                None,
                None,
                chosen.evidence,
            )
        before = after


def _recorded(agent: "WindowSettings", heads: Iterable[Head]) -> Iterator[SettingChange]:
    """Runs of sessions of one model that recorded one and the same window."""
    dated = [head for head in heads if head.started_at and head.recorded]
    dated.sort(key=lambda head: (head.model or "", head.started_at or datetime.max))
    for model, of_model in groupby(dated, key=lambda head: head.model):
        runs = [list(run) for _, run in groupby(of_model, key=lambda head: head.recorded)]
        stable = [run for run in runs if len(run) >= _SESSIONS_MIN]
        for earlier, later in pairwise(stable):
            if earlier[0].recorded != later[0].recorded:
                yield _between(agent, model, earlier[-1], later[0])


def _between(
    agent: "WindowSettings", model: str | None, earlier: Head, later: Head
) -> SettingChange:
    assert earlier.started_at is not None
    assert later.started_at is not None
    assert later.recorded is not None
    return SettingChange(
        agent.AGENT,
        later.started_at,
        earlier.started_at,
        earlier.recorded,
        later.recorded,
        model,
        None,
        None,
        "recorded by the sessions themselves",
    )


def _without_the_vaguer(found: list[SettingChange]) -> list[SettingChange]:
    """A command says to the second what a file shows only by its next version: one change."""
    exact = [change for change in found if change.file is None and change.earliest is None]
    kept, told = [], set()
    for change in found:
        same = [one for one in exact if _is_seen_in(one, change)]
        if same:
            told.update(same)
            evidence = f"{same[-1].evidence}; {change.evidence}"
            kept.append(change._replace(at=same[-1].at, earliest=None, evidence=evidence))
        elif change not in exact:
            kept.append(change)
    return [*kept, *(one for one in exact if one not in told)]


def _is_seen_in(command: SettingChange, change: SettingChange) -> bool:
    return (
        change.file is not None
        and change.project is None
        and change.earliest is not None
        and change.earliest < command.at <= change.at
        and command.after.begins_at is not None
        and command.after.begins_at == change.after.begins_at
    )
