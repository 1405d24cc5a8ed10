"""A deadline of our own, far below the agent's: a hook that hangs would hold up the agent."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    from types import FrameType
else:
    # What the interpreter has loaded already; the module above it makes enumerations, for 0.3 ms.
    import _signal as signal


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
