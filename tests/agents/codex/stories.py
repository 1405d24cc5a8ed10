"""What people say in these tests. A plan in brackets tells the model what to do."""

DECISION = "We decided: totals are kept in whole cents, not floats, because rounding lost three."


def works(name: str, compactions: int) -> str:
    """A turn in which the context fills up so often: a compaction comes after every third call."""
    return f"{DECISION} [[plan id={name} calls={3 * compactions} step=25000]]"


def asks(name: str, *, compactions: str = "ok") -> str:
    """A small turn; `compactions` tells how the next ones of this session end."""
    return f"An easy question. [[plan id={name} compact={compactions}]]"
