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


def test_only_the_nightly_one_has_a_schedule_and_catches_up():
    [schedule] = DEPLOYMENTS["nightly"]["schedules"]

    assert set(schedule) >= {"cron", "timezone"}
    assert DEPLOYMENTS["nightly"]["parameters"] == {"catch_up": True}
    assert "schedules" not in DEPLOYMENTS["on-demand"]


def test_every_parameter_is_explained():
    assert parameters_of(DEPLOYMENTS["on-demand"]) == {
        name
        for row in OPERATE.splitlines()
        if row.startswith("| `")
        for name in row.split("|")[1].replace("`", "").replace(" ", "").split(",")
        if name != "compact-guardserve"
    }
