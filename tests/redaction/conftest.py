"""The guard and its transcripts, as the hooks' own tests use them."""

from tests.hook.conftest import cuts, guard, transcript

__all__ = ["cuts", "guard", "transcript"]
