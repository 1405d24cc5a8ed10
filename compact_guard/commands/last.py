"""`compact-guard last`: the newest compaction, what its summary lost and what was given back."""

import argparse
import json
import sys
from typing import TYPE_CHECKING

from compact_guard.commands import shared_options

if TYPE_CHECKING:
    from compact_guard.checkpoints.newest_compaction import Compaction

HELP = "tell of the newest compaction: what its summary lost, and what was given back"

EXIT_NONE = 1
_HASH_DIGITS = 12
_TRIGGERS = {"auto": "automatic", "manual": "manual", None: "unknown trigger"}


def configure(parser: argparse.ArgumentParser) -> None:
    """How to print."""
    parser.epilog = "Exit: 0 told, 1 no compaction is known, 2 bad usage."
    shared_options.json_output(parser)


def run(arguments: argparse.Namespace) -> int:
    """0 told, 1 where the audit log shows no compaction of real work."""
    from pathlib import Path

    from compact_guard.checkpoints import newest_compaction
    from compact_guard.hook import paths
    from compact_guard.install import consent

    found = newest_compaction.find(Path(paths.audit_folder()))
    if arguments.json:
        sys.stdout.write(json.dumps(found.as_json() if found else None, indent=1) + "\n")
    elif found is None:
        nothing = "No compaction of real work is in the audit log."
        consent.say([nothing, "Are the hooks in place? See `compact-guard doctor`."])
    else:
        consent.say(_told(found))
    return 0 if found else EXIT_NONE


def _told(found: "Compaction") -> list[str]:
    from compact_guard.checkpoints.inventory_text import items_told

    version = f" {found.agent_version}" if found.agent_version else ""
    at = found.at[:16].replace("T", " ")
    head = f"{at} UTC, {found.interface}{version}, {_TRIGGERS.get(found.trigger, 'unknown')}"
    if found.checkpoint_hash is None:
        return [head, f"saved       nothing: {found.saved}{_because(found.reason)}"]
    is_delivered = found.delivery == "injected"
    return [
        head,
        f"saved       {items_told(found.items)}",
        f"delivered   {'yes, all of that' if is_delivered else _undelivered(found)}",
        f"rescued     {_rescued(found)}",
        f"to read it  compact-guard checkpoints show {found.checkpoint_hash[:_HASH_DIGITS]}",
    ]


def _undelivered(found: "Compaction") -> str:
    if found.delivery is not None:
        return f"no: {found.delivery}{_because(found.delivery_reason)}"
    if found.expected == "next_turn":
        return "not yet: it comes with your next prompt"
    return "not yet" if found.is_finished else "not yet: the compaction has not finished, either"


def _rescued(found: "Compaction") -> str:
    """What neither the summary nor a message kept verbatim holds, as far as words can tell."""
    from compact_guard.checkpoints.inventory_text import items_told

    if found.rescued is None:
        return "unknown: no receipt says what the summary holds"
    counts = {rank: count for rank, count in found.rescued.items() if count is not None}
    if len(counts) < len(found.rescued):
        return "unknown: the agent keeps its summary to itself"
    whole, lost = sum(found.items.values()), sum(counts.values())
    if not lost:
        return f"nothing: the summary holds all {whole}"
    return f"{lost} of {whole} are not in the summary: {items_told(counts)}"


def _because(reason: str | None) -> str:
    return f" ({reason})" if reason else ""
