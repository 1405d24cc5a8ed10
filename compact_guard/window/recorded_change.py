"""A change of window that is on record, as the study takes it, beside what compactions show."""

from collections.abc import Iterable, Sequence

from compact_guard.hook import identity
from compact_guard.window import change as changes
from compact_guard.window import periods
from compact_guard.window.change import Change, Session
from compact_guard.window.rules import Rules
from compact_guard.window.setting import Setting, SettingChange


def newest(
    on_record: Sequence[SettingChange], sessions: Sequence[Session], rules: Rules
) -> Change | None:
    """The newest one with work on both sides; None where there is none."""
    for recorded in reversed(on_record):
        change = _change(recorded)
        concerned = [one for one in sessions if changes.is_concerned(one, change) and one.turns]
        seen = changes.propose(concerned, rules)
        change = _dated_by(change, seen)
        if _has_both_sides(concerned, change):
            found = _with_windows(change, recorded, concerned)
            return found._replace(notes=(*change.notes, *_notes(found, seen, concerned)))
    return None


def _change(recorded: SettingChange) -> Change:
    project = recorded.project
    return Change(
        recorded.at,
        "settings",
        recorded.agent,
        None,
        None,
        None,
        recorded.earliest,
        recorded.model,
        None if project is None else identity.session_hash("project", str(project)),
        recorded,
    )


def _dated_by(change: Change, seen: Change | None) -> Change:
    """A file tells between which two moments; compactions may tell when."""
    if change.earliest is None or seen is None or not change.earliest < seen.at <= change.at:
        return change
    note = (
        f"the settings changed between {change.earliest:%Y-%m-%d %H:%M} and "
        f"{change.at:%Y-%m-%d %H:%M} UTC; when, compactions show"
    )
    return change._replace(at=seen.at, earliest=None, notes=(note,))


def _has_both_sides(sessions: Iterable[Session], change: Change) -> bool:
    sides = {one.started_at < change.at for one in sessions if one.started_at is not None}
    return len(sides) == 2


def _with_windows(change: Change, recorded: SettingChange, sessions: Sequence[Session]) -> Change:
    """As compactions show them, else as they were set."""
    seen = changes.given(change.at, sessions)
    return change._replace(
        window_before=seen.window_before or _begins_at(recorded.before),
        window_after=seen.window_after or _begins_at(recorded.after),
    )


def _begins_at(setting: Setting | None) -> float | None:
    return None if setting is None or setting.begins_at is None else float(setting.begins_at)


def _notes(change: Change, seen: Change | None, sessions: Sequence[Session]) -> list[str]:
    """Where settings and compactions disagree."""
    return [*_about_time(change, seen, sessions), *_about_size(change)]


def _about_time(change: Change, seen: Change | None, sessions: Sequence[Session]) -> list[str]:
    if seen is None:
        if change.window_before and change.window_after:
            return ["compactions show no clear shift of where they begin"]
        return []
    first, last = sorted((change.at, seen.at))
    between = [
        one
        for one in sessions
        if one.auto_tokens_before and one.started_at and first <= one.started_at < last
    ]
    if not between:
        return []
    return [
        f"compactions disagree: they begin elsewhere from {seen.at:%Y-%m-%d %H:%M} UTC on "
        f"({seen.window_before:,.0f}, then {seen.window_after:,.0f} tokens), "
        f"{len(between)} sessions {'later' if seen.at > change.at else 'earlier'}"
    ]


def _about_size(change: Change) -> list[str]:
    told = []
    recorded = change.recorded
    for name, setting, begins_at in (
        ("before", recorded and recorded.before, change.window_before),
        ("after", recorded and recorded.after, change.window_after),
    ):
        if setting is None or setting.begins_at is None or begins_at is None:
            continue
        if periods.has_own_window(begins_at, float(setting.begins_at), None):
            told.append(
                f"{name} the change compactions disagree with {setting.words}: they began at "
                f"{begins_at:,.0f} tokens, {setting.begins_at:,} were to be expected"
            )
    return told
