"""`compact-guard checkpoints`: look at what is stored, and remove it."""

import argparse
import json
import os
import re
import sys
import time
from typing import TYPE_CHECKING

from compact_guard.commands import shared_options
from compact_guard.commands.evaluate import duration
from compact_guard.errors import UsageError

if TYPE_CHECKING:
    from compact_guard.checkpoints.purging import Wanted

HELP = "list, show or purge the checkpoints that are stored on this machine"


def configure(parser: argparse.ArgumentParser) -> None:
    """Three actions: list, show, purge."""
    parser.epilog = "Exit: 0 done, 1 you said no or something stayed, 2 bad usage."
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    listing = actions.add_parser("list", help="what is stored, newest first")
    shared_options.json_output(listing)
    show = actions.add_parser("show", help="the text of one, as it would be given back")
    show.add_argument(
        "hash", nargs="?", metavar="HASH", help="of a checkpoint or session (default: the newest)"
    )
    purge = actions.add_parser(
        "purge", help="remove checkpoints, and our hook output that the agents left in files"
    )
    chosen = purge.add_mutually_exclusive_group()
    chosen.add_argument(
        "--older-than", type=duration, metavar="DURATION", help="such as 36h, 30d, 2w"
    )
    chosen.add_argument("--session", metavar="HASH", help="of one session (or how its hash begins)")
    chosen.add_argument("--all", action="store_true", help="everything")
    purge.add_argument(
        "--max-size",
        type=_size,
        metavar="SIZE",
        help="the oldest, until the rest takes no more than that, such as 500k, 10M; "
        "goes with --older-than",
    )
    purge.add_argument("--yes", action="store_true", help="do not ask")


def run(arguments: argparse.Namespace) -> int:
    """0 done, 1 the person said no or something stayed; raises UsageError."""
    match arguments.action:
        case "list":
            return _list(arguments.json)
        case "show":
            return _show(arguments.hash)
    return _purge(arguments)


def _list(is_json: bool) -> int:
    from compact_guard.checkpoints import inventory, inventory_text
    from compact_guard.install import consent

    stored = inventory.all_stored()
    if is_json:
        sys.stdout.write(json.dumps([each.as_json() for each in stored], indent=1) + "\n")
    else:
        consent.say(inventory_text.lines(stored))
    return 0


def _show(hash_start: str | None) -> int:
    from compact_guard.checkpoints import inventory
    from compact_guard.install import consent

    text = inventory.text_of(inventory.named(inventory.all_stored(), hash_start))
    # What was once pasted must not steer the terminal.
    consent.say(["".join(char for char in text if char.isprintable() or char in "\n\t")])
    return 0


def _wanted(arguments: argparse.Namespace) -> "Wanted":
    """What was asked for. Raises UsageError unless that is clear."""
    from compact_guard.checkpoints import inventory
    from compact_guard.checkpoints.purging import Wanted

    has_bound = arguments.older_than is not None or arguments.max_size is not None
    if [has_bound, arguments.session is not None, arguments.all].count(True) != 1:
        raise UsageError("say what: --older-than and --max-size, or --session, or --all")
    if arguments.session is not None:
        inventory.demand_hash(arguments.session)
    if not has_bound:
        return Wanted(arguments.session)
    age = arguments.older_than.total_seconds() if arguments.older_than else time.time()
    return Wanted(before=time.time() - age, bytes_max=arguments.max_size)


def _size(text: str) -> int:
    """Bytes, or thousands (`k`), millions (`M`), thousand millions (`G`) of them; for argparse."""
    found = re.fullmatch(r"(\d+)([kMG]?)", text)
    if not found:
        raise argparse.ArgumentTypeError(f"{text!r} is no size; say 500k, 10M")
    return int(found[1]) * {"": 1, "k": 10**3, "M": 10**6, "G": 10**9}[found[2]]


def _purge(arguments: argparse.Namespace) -> int:
    from compact_guard.checkpoints import inventory_text, purging
    from compact_guard.install import consent

    planned = purging.plan(_wanted(arguments), os.environ)
    if planned.is_empty:
        consent.say(["Nothing to remove."])
        return 0
    consent.say(inventory_text.planned(planned))
    if not consent.given(arguments.yes, "Remove this for good?"):
        consent.say(["Nothing was removed."])
        return 1
    complaints = purging.carry_out(planned)
    consent.say([f"Not removed: {each}" for each in complaints] or ["Removed."])
    return 1 if complaints else 0
