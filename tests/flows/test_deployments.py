"""prefect.yaml names flows and parameters that there are."""

import ast

import pytest
import yaml

from tests.source_tree import ROOT, tree_of

WRITTEN = yaml.safe_load((ROOT / "prefect.yaml").read_text("utf-8"))
DEPLOYMENTS = {deployment["name"]: deployment for deployment in WRITTEN["deployments"]}
OPERATE = (ROOT / "docs" / "operate.md").read_text("utf-8")


def flow_of(deployment: dict) -> ast.FunctionDef:
    file, _, name = deployment["entrypoint"].partition(":")
    [found] = [
        node
        for node in tree_of(ROOT / file).body
        if isinstance(node, ast.FunctionDef) and node.name == name
    ]
    return found


def parameters_of(deployment: dict) -> set[str]:
    return {argument.arg for argument in flow_of(deployment).args.args}


@pytest.mark.parametrize("name", DEPLOYMENTS)
def test_each_deployment_has_a_flow_that_takes_its_parameters(name):
    deployment = DEPLOYMENTS[name]

    assert set(deployment["parameters"]) <= parameters_of(deployment)
    assert {"compact-guard", name} <= set(deployment["tags"])
    assert deployment["concurrency_limit"] == {"limit": 1, "collision_strategy": "ENQUEUE"}


@pytest.mark.parametrize("name", ["nightly", "weekly"])
def test_what_is_called_by_its_time_has_one(name):
    [schedule] = DEPLOYMENTS[name]["schedules"]

    assert set(schedule) >= {"cron", "timezone"}


def test_only_the_nightly_one_catches_up():
    assert DEPLOYMENTS["nightly"]["parameters"] == {"catch_up": True}
    assert "catch_up" not in DEPLOYMENTS["on-demand"]["parameters"]
    assert "schedules" not in DEPLOYMENTS["on-demand"]


def test_a_run_on_demand_asks_for_what_it_can_be_given():
    parameters = DEPLOYMENTS["on-demand"]["parameters"]

    assert set(parameters) >= {"paths", "policy", "as_of", "interface"}
    assert set(parameters.values()) == {None}


@pytest.mark.parametrize(
    ("heading", "deployment"), [("parameter of `verdict`", "on-demand"),
                                ("parameter of `window`", "weekly")]
)  # fmt: skip
def test_every_parameter_is_explained(heading, deployment):
    table = OPERATE.partition(f"| {heading} |")[2].partition("\n\n")[0]

    assert parameters_of(DEPLOYMENTS[deployment]) == {
        name
        for row in table.splitlines()
        if row.startswith("| `")
        for name in row.split("|")[1].replace("`", "").replace(" ", "").split(",")
    }
