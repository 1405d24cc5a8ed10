"""The whole answer on told sessions, from files to the contract's JSON; without the gate."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from compact_guard.evaluator import evaluation, policy, verdict_json
from tests.evaluator.nights import night
from tests.simulator import shipping
from tests.simulator.guard import Truth
from tests.simulator.shipping import Left
from tests.simulator.world import NIGHT, Session


class Answer(NamedTuple):
    """An evaluation and its JSON."""

    evaluation: evaluation.Evaluation
    json: dict[str, Any]

    @property
    def interface(self) -> dict[str, Any]:
        """The only interface there is."""
        [only] = self.json["interfaces"]
        return only  # type: ignore[no-any-return]

    def told(self, **truths: Truth) -> list[tuple[str, str, str]]:
        """Name (None for what has no checkpoint), outcome and evidence of every compaction."""
        names = {truth.checkpoint_hash: name for name, truth in truths.items()}
        return sorted(
            (names.get(one["checkpoint_hash"], "none"), one["outcome"], one["evidence"])
            for one in self.interface["compactions"]
        )

    def has(self, **expected: object) -> None:
        """Fail unless the interface has exactly these values."""
        assert {name: self.interface[name] for name in expected} == expected


def answer(
    folder: Path,
    *told: Session | Left,
    has_transcripts: bool = True,
    triggers: tuple[str, ...] = ("auto",),
    **options: Any,
) -> Answer:
    """What an evaluation says of these sessions, all of their files at hand or as a Left says."""
    lefts = [left if isinstance(left, Left) else shipping.leave_all(left) for left in told]
    lines = [json.dumps(row.fields) for left in lefts for row in left.rows]
    written(folder / "audit" / "log.jsonl", "".join(f"{line}\n" for line in lines).encode())
    for left in lefts:
        if left.file is not None:
            file = folder / "transcripts" / left.session.writer.path
            written(file, shipping.content_of(left))
    return of_folder(folder, has_transcripts=has_transcripts, triggers=triggers, **options)


def of_folder(
    folder: Path, *, has_transcripts: bool, triggers: tuple[str, ...] = ("auto",), **options: Any
) -> Answer:
    """What an evaluation says of `audit` and `transcripts` below `folder`."""
    files = folder / "transcripts"
    transcripts = (files,) if has_transcripts and files.is_dir() else ()
    found = night(
        folder / "warehouse.duckdb",
        folder / "audit",
        as_of=options.pop("as_of", NIGHT),
        transcripts=transcripts,
        policy=replace(policy.load(), natural_triggers=triggers),
        **options,
    )
    return Answer(found, verdict_json.as_json(found))


def written(file: Path, content: bytes) -> Path:
    """The file, with what is above it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    return file
