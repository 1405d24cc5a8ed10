"""What `compact-guard doctor` finds: each with its mend."""

from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Finding:
    """`agent` None: of the guard itself. A note is worth knowing and breaks nothing."""

    agent: str | None
    check: str
    problem: str
    mend: str
    is_note: bool = False

    def as_json(self) -> dict[str, object]:
        """The finding as `--json` prints it."""
        return asdict(self)
