"""Steps as Prefect's tasks, for every flow of flows/."""

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from prefect import task
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State

P = ParamSpec("P")
T = TypeVar("T")


class TasksInOrder:
    """Runs each step as a task that waits for the one before, so that Prefect draws the order.

    `after` is called after each. No retries: no step fails today and works in five seconds.
    """

    def __init__(self, after: Callable[[], object]) -> None:
        self.after = after
        self._last: list[State[Any]] = []

    def __call__(self, step: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run it; returns what it returns, raises what it raises."""
        name = step.__name__.replace("_", " ")

        def call() -> T:
            return step(*args, **kwargs)

        # Without parameters: Prefect would walk through every row of an evaluation.
        watched = task(name=name, task_run_name=name, cache_policy=NO_CACHE)(call)
        state = watched(return_state=True, wait_for=self._last)
        result = state.result()
        self._last = [state]
        self.after()
        return result
