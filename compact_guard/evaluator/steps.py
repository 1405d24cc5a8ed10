"""How a step of an evaluation is run: called as it is, or by something that watches it."""

from collections.abc import Callable
from typing import ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Runner(Protocol):
    """Runs a step with its arguments and returns what it returns; raises what it raises."""

    def __call__(self, step: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T: ...


def plainly(step: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Just call it."""
    return step(*args, **kwargs)
