"""A second opinion on secrets from a pinned library, where the user asked for one.

The hooks run without site-packages: config.json names the library among the `behaviour`
settings, so that it is part of the fingerprint, and its folder beside them. What cannot be
loaded or fails is left out: our own rules stand alone.
"""

import json
import sys

from compact_guard.hook import paths
from compact_guard.hook import redaction_placeholders as placeholders
from compact_guard.hook import redaction_values as values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from compact_guard.hook.redaction import Span

PINNED = "redact-secret==0.1.0b15"
BEHAVIOUR_SETTING = "redaction_library"
FOLDER_SETTING = "redaction_library_folder"
_MODULE = "redact_secret"
_CONFIG_BYTES_MAX = 64 << 10
# Its private keys without an end swallow everything behind them; we have a rule of our own.
_IGNORED = ("private_key",)
_DOUBTFUL = ("contextual_secret",)
_NOT_LOADED = object()
_scan: object = _NOT_LOADED


def spans_in(text: str) -> "Iterator[Span]":
    """What the library finds and our own rules may not, as `(start, end, kind)`."""
    scan = _loaded()
    if scan is None:
        return
    # It refuses lone surrogates, which transcripts may hold.
    safe = text if text.isascii() else "".join(map(_without_surrogate, text))
    for finding in _guarded(scan, safe):
        value = text[finding.start : finding.end]
        if finding.type in _IGNORED or values.MASK in value:
            continue
        if placeholders.is_placeholder(value) or values.is_harmless(value):
            continue
        if finding.type in _DOUBTFUL and ("(" in value or not values.has_digit(value)):
            continue  # code, or a sentence
        yield finding.start, finding.end, str(finding.type).replace("_", "-")


def is_used() -> bool:
    """Whether there is a second opinion to ask for."""
    return _loaded() is not None


def use(scan: "Callable[[str], list[Any]] | None") -> None:
    """Scan with this function from now on; None for our own rules alone."""
    global _scan  # noqa: PLW0603 - one process, one library
    _scan = scan


def installed() -> "Callable[[str], list[Any]] | None":
    """The pinned library's scan function if this Python can import it; for the commands."""
    from importlib.metadata import PackageNotFoundError, version

    name, _, wanted = PINNED.partition("==")
    try:
        if version(name) != wanted:
            return None
    except PackageNotFoundError:
        return None
    return _imported()


def folder() -> str:
    """Where the hooks can import the library from; raises ImportError."""
    import os

    module = __import__(_MODULE)
    return os.path.dirname(os.path.dirname(os.path.abspath(str(module.__file__))))


def _loaded() -> "Callable[[str], list[Any]] | None":
    if _scan is _NOT_LOADED:
        use(_from_config())
    return _scan  # type: ignore[return-value]


def _from_config() -> "Callable[[str], list[Any]] | None":
    try:
        with open(paths.config_file(), "rb") as file:
            config = json.loads(file.read(_CONFIG_BYTES_MAX))
        if config["behaviour"][BEHAVIOUR_SETTING] != PINNED:
            return None
        location = config[FOLDER_SETTING]
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return None
    sys.path.append(location)  # at the end: it must not shadow the standard library
    try:
        return _imported()
    finally:
        sys.path.remove(location)


def _imported() -> "Callable[[str], list[Any]] | None":
    try:
        scan = __import__(_MODULE).scan
    except Exception:
        return None
    return scan if callable(scan) else None


def _guarded(scan: "Callable[[str], list[Any]]", text: str) -> "list[Any]":
    """Its findings, none if it fails: a panic of its Rust code is no Exception."""
    try:
        return list(scan(text))
    except BaseException as error:
        if isinstance(error, Exception) or type(error).__name__ == "PanicException":
            return []
        raise


def _without_surrogate(letter: str) -> str:
    return "?" if "\ud800" <= letter <= "\udfff" else letter
