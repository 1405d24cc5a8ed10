"""Import a large package without what we never ask of it.

A verdict on a small log waits mostly for imports. Inside `spared`, modules named as `later` load
when something first asks them for anything, so that nothing is missing; those named as `absent`
cannot be imported, for packages that look whether they are there and do without. Both hold for the
importing thread alone, and for what was not imported before.
"""

import gc
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import LazyLoader
from types import ModuleType


@contextmanager
def spared(later: frozenset[str], absent: frozenset[str]) -> Iterator[None]:
    """Until the end, `later` is imported as modules that load themselves, `absent` not at all."""
    finder = _Sparing(later, absent)
    sys.meta_path.insert(0, finder)
    # Modules are made to stay: looking among them for garbage takes a fifth of an import, and as
    # much again at the end of the process.
    is_collecting, known = gc.isenabled(), len(sys.modules)
    gc.disable()
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        if len(sys.modules) > known:
            gc.freeze()
        if is_collecting:
            gc.enable()


class _Sparing(MetaPathFinder):
    def __init__(self, later: frozenset[str], absent: frozenset[str]) -> None:
        self._later = later
        self._absent = absent
        self._thread = threading.get_ident()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Asked for every import of the process that is not loaded yet."""
        if threading.get_ident() != self._thread:
            return None
        if fullname in self._absent:
            raise ModuleNotFoundError(f"{fullname} is not imported here", name=fullname)
        spec = PathFinder.find_spec(fullname, path, target) if fullname in self._later else None
        if spec is not None and spec.loader is not None:
            spec.loader = LazyLoader(spec.loader)
        return spec
