"""`compact-guard serve`: a verdict every night, a study every week, in one process."""

import argparse
import os
import signal
import sys
from pathlib import Path
from types import FrameType

from compact_guard.commands import shared_options

HELP = "judge the guard every night, study the window every week: with a server of our own"

_UNITS = ("systemd", "launchd")
_HANDED_ON = ("COMPACT_GUARD_HOME", "PREFECT_API_URL")


def configure(parser: argparse.ArgumentParser) -> None:
    """When, where, and by which policy."""
    parser.epilog = (
        "With PREFECT_API_URL set, that server is used and none is started. "
        "Exit: 0 stopped, 2 bad usage, 75 it is running already."
    )
    parser.add_argument(
        "--cron",
        default="15 2 * * *",
        metavar="CRON",
        help="minute, hour, day, month, weekday (default: %(default)s)",
    )
    parser.add_argument(
        "--weekly",
        default="45 2 * * 1",
        metavar="CRON",
        help="when the window is studied (default: %(default)s)",
    )
    parser.add_argument(
        "--timezone",
        default=local_timezone(),
        metavar="NAME",
        help="the time zone of both (default: this machine's, %(default)s)",
    )
    _what_to_serve(parser)
    parser.add_argument(
        "--port",
        type=int,
        default=4200,
        help="where the server and its pages are, on loopback (default: %(default)s)",
    )
    parser.add_argument(
        "--print-unit", choices=_UNITS, help="print a service definition for this and do nothing"
    )


def _what_to_serve(parser: argparse.ArgumentParser) -> None:
    shared_options.one_path(parser, "--policy", "FILE", "TOML that overrides the policy")
    shared_options.one_path(
        parser,
        "--window-policy",
        "FILE",
        "TOML that overrides what a study of the window demands",
    )
    shared_options.many_paths(
        parser,
        "--transcripts",
        "PATH",
        "the agents' own transcripts, as second witness and for the study; may be repeated "
        "(default: no witness; all of yours for the study)",
    )
    shared_options.one_path(
        parser, "--reports", "DIR", "where the reports go (default: our own folder)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Serve until Ctrl-C or SIGTERM; raises UsageError, and BusyError if it runs already."""
    if arguments.print_unit:
        sys.stdout.write(_unit(arguments))
        return 0
    from compact_guard import data_home, progress, quiet
    from compact_guard.commands.evaluate import require_evaluator
    from compact_guard.commands.window import require_study
    from compact_guard.evaluator import writer_lock

    require_evaluator()
    require_study()
    _check_policies(arguments)
    data_home.prepare()
    quiet.telemetry_off()
    with writer_lock.held(data_home.folder() / "serve", 0.0, progress.tell):
        _serve(arguments)
    return 0


def _check_policies(arguments: argparse.Namespace) -> None:
    """A mistake in them is told now, not at night."""
    from compact_guard.evaluator import policy
    from compact_guard.operate import window_news
    from compact_guard.window import rules

    policy.load(arguments.policy)
    rules.load(arguments.window_policy)
    window_news.channels_of(arguments.window_policy)


def _serve(arguments: argparse.Namespace) -> None:
    from compact_guard import quiet
    from compact_guard.operate import server

    signal.signal(signal.SIGTERM, _stop)
    is_own = not os.environ.get("PREFECT_API_URL")
    if is_own:  # before Prefect is loaded: it reads both once
        os.environ["PREFECT_HOME"] = str(quiet.prefect_home())
        os.environ["PREFECT_API_URL"] = server.url_of(arguments.port)
    for cron in (arguments.cron, arguments.weekly):
        check_schedule(cron, arguments.timezone)
    if not is_own:
        _serve_flows(arguments)
        return
    sys.stderr.write("Starting Prefect's server; the first time takes half a minute.\n")
    with server.running(arguments.port, quiet.prefect_home()):
        _serve_flows(arguments)


def _serve_flows(arguments: argparse.Namespace) -> None:
    from compact_guard.operate import serving

    address = os.environ["PREFECT_API_URL"].removesuffix("/api")
    sys.stderr.write(
        f"Serving verdict/nightly ({arguments.cron}, {arguments.timezone}), verdict/on-demand and "
        f"window/weekly ({arguments.weekly}); to look: {address}\n"
    )
    times = (arguments.cron, arguments.weekly, arguments.timezone)
    of_verdict = _parameters(arguments, arguments.policy, "transcripts")
    of_window = _parameters(arguments, arguments.window_policy, "paths")
    serving.serve(serving.Schedule(*times, of_verdict, of_window))


def _parameters(
    arguments: argparse.Namespace, policy: Path | None, transcripts: str
) -> dict[str, object]:
    """What one of the flows is given; it calls the transcripts by a name of its own."""
    from compact_guard import data_home

    reports = arguments.reports or data_home.folder() / "reports"
    parameters: dict[str, object] = {"reports": str(reports.resolve())}
    if policy:
        parameters["policy"] = str(policy.resolve())
    if arguments.transcripts:
        parameters[transcripts] = [str(path.resolve()) for path in arguments.transcripts]
    return parameters


def check_schedule(cron: str, timezone: str) -> None:
    """Raises UsageError where Prefect would refuse it."""
    from prefect.client.schemas.schedules import CronSchedule

    from compact_guard.errors import UsageError

    try:
        CronSchedule(cron=cron, timezone=timezone)
    except ValueError as error:
        said = str(error).splitlines()
        raise UsageError(f"no such schedule: {cron!r} in {timezone!r} ({said[-1]})") from None


def local_timezone() -> str:
    """This machine's IANA time zone; UTC where it does not tell."""
    named = os.environ.get("TZ", "").removeprefix(":")
    if named and not named.startswith("/"):
        return named
    _, found, zone = os.path.realpath("/etc/localtime").partition("zoneinfo/")
    return zone if found and not zone.startswith(("posix/", "right/")) else "UTC"


def _unit(arguments: argparse.Namespace) -> str:
    from compact_guard.operate import units

    words = ["--cron", arguments.cron, "--weekly", arguments.weekly]
    words += ["--timezone", arguments.timezone, "--port", str(arguments.port)]
    for name in ("policy", "window-policy", "reports"):
        if path := getattr(arguments, name.replace("-", "_")):
            words += [f"--{name}", str(path.resolve())]
    for path in arguments.transcripts:
        words += ["--transcripts", str(path.resolve())]
    command = [sys.executable, "-m", "compact_guard", "serve", *words]
    environment = {name: os.environ[name] for name in _HANDED_ON if name in os.environ}
    render = units.systemd if arguments.print_unit == "systemd" else units.launchd
    return render(command, environment)


def _stop(number: int, frame: FrameType | None) -> None:
    """A service manager stops us this way: that is no failure, and the server is to be stopped."""
    raise SystemExit(0)
