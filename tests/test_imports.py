"""Imports go one way: flows -> cold modules -> hook; agents never know each other."""

import ast
import graphlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.source_tree import PACKAGE, ROOT, name_of, python_files, tree_of, words_of

SHIPPED = python_files("compact_guard", "flows")
AGENTS = sorted(
    folder.name for folder in (PACKAGE / "agents").iterdir() if (folder / "__init__.py").exists()
)
HOOK = "compact_guard.hook"
# The hand-written lists of agents: one for the hot path, one for settings, others for transcripts.
LISTS_OF_AGENTS = {
    "compact_guard.hook.run": {"hook"},
    "compact_guard.agents.registry": {
        "settings",
        "trust",
        "sessions",
        "stage",
        "spills",
        "compaction",
        "window_settings",
        "window_restore",
        "interfaces",
    },
    "compact_guard.transcripts.transcript_file": {"transcript", "outline"},
    "compact_guard.window.scan": {"transcript", "usage"},
}
# Field names, event names and variables of agents. (`session_id` is ours, too.)
VENDOR_WORDS = (
    "hook_event_name", "hookSpecificOutput", "hookEventName", "additionalContext", "promptId",
    "prompt_id", "custom_instructions", "compact_summary", "compact_boundary", "compactMetadata",
    "isSidechain", "isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "toolUseResult",
    "parentUuid", "sessionId", "preTokens", "PreCompact", "PostCompact", "SessionStart",
    "UserPromptSubmit", "CLAUDE_", "ANTHROPIC_", ".claude", "session_meta", "turn_context",
    "response_item", "event_msg", "CODEX_", ".codex", "AGENTS.md",
)  # fmt: skip


def module_name(file: Path) -> str:
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(file): file for file in SHIPPED}


def imports_of(file: Path) -> set[str]:
    """Our modules that it imports when it runs, wherever the import stands."""
    return {name for name in _imported(tree_of(file)) if name in MODULES}


def _imported(node: ast.AST) -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                continue  # for type checkers only: nothing is imported
            case ast.Import(names=names):
                yield from (name.name for name in names)
            case ast.ImportFrom(module=str() as module, names=names):
                yield module
                yield from (f"{module}.{name.name}" for name in names)
            case _:
                yield from _imported(child)


ARROWS = {name: imports_of(file) - {"compact_guard"} for name, file in MODULES.items()}


def agent_of(module: str) -> str | None:
    parts = module.split(".")
    return (
        parts[2]
        if parts[:2] == ["compact_guard", "agents"] and parts[2:3] and parts[2] in AGENTS
        else None
    )


def is_hot(module: str) -> bool:
    is_adapter = agent_of(module) is not None and module.rpartition(".")[2].startswith("hook")
    return module == HOOK or module.startswith(f"{HOOK}.") or is_adapter


def test_the_walk_sees_imports_wherever_they_stand():
    assert f"{HOOK}.delivery" in ARROWS[f"{HOOK}.run"]
    assert "compact_guard.evaluator.evaluation" in ARROWS["compact_guard.commands.evaluate"]
    assert "compact_guard.agents.contract" not in ARROWS[f"{HOOK}.run"]


def test_the_hot_path_imports_nothing_cold():
    cold = {
        name: {other for other in ARROWS[name] if not is_hot(other)}
        for name in ARROWS
        if is_hot(name)
    }

    packages = {"compact_guard.agents", *(f"compact_guard.agents.{agent}" for agent in AGENTS)}
    assert {name: arrows - packages for name, arrows in cold.items() if arrows - packages} == {}


def test_only_the_lists_of_agents_know_agents():
    knowing = {
        (name, other)
        for name, arrows in ARROWS.items()
        for other in arrows
        if agent_of(other) and not agent_of(name)
    }

    allowed = {
        (name, f"compact_guard.agents.{agent}{part}")
        for name, roles in LISTS_OF_AGENTS.items()
        for agent in AGENTS
        for part in ("", *(f".{role}" for role in roles))
    }
    assert knowing <= allowed


def test_agents_never_import_each_other():
    crossing = {
        (name, other)
        for name, arrows in ARROWS.items()
        for other in arrows
        if agent_of(name) and agent_of(other) not in (None, agent_of(name))
    }

    assert crossing == set()


@pytest.mark.parametrize("top", ["flows", "compact_guard.cli", "compact_guard.commands"])
def test_nothing_imports_what_stands_above_it(top):
    above = {"compact_guard.__main__", "flows.verdict"}
    importing = {
        name
        for name, arrows in ARROWS.items()
        if any(other == top or other.startswith(f"{top}.") for other in arrows)
        and not name.startswith(top)
    }

    assert importing <= above


def test_there_is_an_order_in_which_everything_could_be_read():
    """Raises CycleError with the circle if there is one."""
    assert len(list(graphlib.TopologicalSorter(ARROWS).static_order())) == len(MODULES)


def test_vendor_words_stay_below_their_agent():
    found = {
        f"{name_of(file)}:{line}: {word}"
        for name, file in MODULES.items()
        if agent_of(name) is None
        for line, text in words_of(file)
        for word in VENDOR_WORDS
        if word in text
    }

    assert found == set()


def test_the_command_line_is_built_from_the_standard_library_alone():
    """The guard's own commands run in an installation without the evaluator."""
    program = "from compact_guard import cli; cli.build_parser(); import json, sys"
    program += "; json.dump(sorted(sys.modules), sys.stdout)"
    answer = subprocess.run(
        [sys.executable, "-S", "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )

    tops = {name.partition(".")[0] for name in json.loads(answer.stdout)}
    assert tops - set(sys.stdlib_module_names) - {"__main__", "compact_guard"} == set()
