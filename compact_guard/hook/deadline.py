"""A deadline of our own, far below the agent's: a hook that hangs would hold up the agent."""

import signal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType


class Reached(BaseException):
    """Time is up. No `except Exception` may swallow it."""


def arm(seconds: float) -> None:
    """Raise Reached after `seconds` of wall time, wherever the program then is."""
    signal.signal(signal.SIGALRM, _raise)
    signal.setitimer(signal.ITIMER_REAL, seconds)


def disarm() -> None:
    """From here on, take the time it takes."""
    signal.setitimer(signal.ITIMER_REAL, 0)


def _raise(_number: int, _frame: "FrameType | None") -> None:
    raise Reached
