"""The guard and its transcripts, as the hooks' own tests use them."""

from tests.hook.conftest import guard, transcript

__all__ = ["guard", "transcript"]
