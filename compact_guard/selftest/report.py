"""The self-test of each agent that has the hooks, and how its result is told."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from compact_guard.agents import registry
from compact_guard.doctor import entries
from compact_guard.install import options
from compact_guard.install.settings_file import SettingsFile
from compact_guard.selftest import staged_run
from compact_guard.selftest.staged_checks import Check, checks

_MARKS = {True: "ok   ", False: "WRONG"}


@dataclass(frozen=True)
class Result:
    """`agent` None: no agent has the hooks."""

    agent: str | None
    checks: list[Check]

    def as_json(self) -> dict[str, object]:
        """The result as `--json` prints it."""
        return {"agent": self.agent, "checks": [check.as_json() for check in self.checks]}


def examine(
    agents: list[str], project: Path | None, environment: Mapping[str, str]
) -> list[Result]:
    """Of several agents, those without the hooks are passed over; raises UsageError."""
    results = []
    for name in agents:
        agent = registry.settings_of(name)
        settings = entries.read(agent, agent.settings_path(project, environment))
        if settings.ours or len(agents) == 1:
            results.append(Result(name, list(_of_agent(agent, settings, environment))))
    if results:
        return results
    mend = "run `compact-guard install AGENT`"
    return [Result(None, [Check("registered", "", "no agent has the hooks", mend)])]


def told(results: list[Result]) -> list[str]:
    """One line per check, and the mend below what is wrong."""
    lines = []
    for result in results:
        for check in result.checks:
            mark = _MARKS[not check.problem]
            told = check.problem or check.told
            lines.append(f"{mark}  {result.agent or 'compact-guard'}: {told}")
            if check.problem:
                lines.append(f"       -> {check.mend}")
    wrong = sum(bool(check.problem) for result in results for check in result.checks)
    return [*lines, f"{wrong} wrong." if wrong else "The hooks do what they promise."]


def _of_agent(
    agent: SettingsFile, settings: entries.Settings, environment: Mapping[str, str]
) -> Iterator[Check]:
    commands = staged_run.commands(agent, settings)
    registered = _registered(agent, settings, commands, environment)
    yield registered
    yield _allowed(agent, settings, environment)
    if registered.problem:
        return
    with staged_run.staged(agent.AGENT) as scene:
        runs = staged_run.perform(scene, commands, environment)
        try:
            yield from checks(scene, runs)
        except OSError as error:
            mend = f"run `compact-guard doctor {agent.AGENT}`"
            yield Check("files", "", f"what the hooks wrote cannot be read: {error}", mend)


def _registered(
    agent: SettingsFile,
    settings: entries.Settings,
    commands: Mapping[str, list[str]],
    environment: Mapping[str, str],
) -> Check:
    version = agent.installed_version(environment)
    has_notice = options.of(agent.AGENT).notice
    known = agent.registrations(lambda event: event, version, has_notice)
    wanted = [each.command for each in known]
    lost = [event for event in wanted if not commands[event]]
    problem = f"{settings.path} calls no hook of ours for {', '.join(lost)}" if lost else ""
    mend = f"run `compact-guard install {agent.AGENT}`"
    return Check("registered", f"{settings.path} calls the hooks", problem, mend)


def _allowed(
    agent: SettingsFile, settings: entries.Settings, environment: Mapping[str, str]
) -> Check:
    """Whether the agent itself would run what is run here."""
    problems = [(each, "remove that switch") for each in agent.blockers(settings.path, environment)]
    approval = registry.approval_of(agent.AGENT)
    if approval is not None and settings.content is not None and settings.ours:
        problems += approval.complaints(settings.path, settings.content, environment)
    problem, mend = problems[0] if problems else ("", "")
    return Check("allowed", "nothing keeps the agent from running them", problem, mend)
