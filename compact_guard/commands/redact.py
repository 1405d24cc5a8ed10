"""`compact-guard redact`: the redactor as a filter, stdin to stdout."""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from compact_guard.errors import UsageError

HELP = "take secrets out of text: stdin to stdout"
FAILED = "[redacted:failed]"
EXIT_FAILED = 1
_BLOCK_BYTES = 1 << 20  # text is redacted in blocks, so that a pipe of any length needs no room
_OPEN_KEY, _CLOSED_KEY = b"-----BEGIN ", b"-----END "


def configure(parser: argparse.ArgumentParser) -> None:
    """Text by default; --jsonl for messages; one setting of the hooks."""
    parser.add_argument(
        "--jsonl",
        action="store_true",
        help="lines {id, text}: each text is redacted as one message, other keys are kept",
    )
    parser.add_argument(
        "--hooks-use-library",
        choices=("on", "off"),
        help="instead of filtering: let the hooks use the installed redact-secret, too, or not",
    )


def run(arguments: argparse.Namespace) -> int:
    """0 done, 1 some text could not be redacted and was replaced; raises UsageError."""
    from compact_guard.hook import redaction_library

    if arguments.hooks_use_library:
        return _set_library(arguments.hooks_use_library == "on")
    redaction_library.use(redaction_library.installed())
    filtered = _filtered_lines if arguments.jsonl else _filtered_text
    count_failures = 0
    for content, is_redacted in filtered(sys.stdin.buffer):
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        count_failures += not is_redacted
    if count_failures:
        sys.stderr.write(f"compact-guard: {count_failures} could not be redacted: {FAILED}\n")
    return EXIT_FAILED if count_failures else 0


def _redacted(text: str) -> tuple[str, bool]:
    """The text without secrets; what cannot be redacted is not shown."""
    from compact_guard.hook import redaction

    (clean,) = redaction.redact_all([text]).texts
    return (FAILED, False) if clean is None else (clean, True)


def _filtered_text(stdin: BinaryIO) -> Iterator[tuple[bytes, bool]]:
    for block in _blocks(stdin):
        clean, is_redacted = _redacted(block.decode("utf-8", "surrogateescape"))
        yield clean.encode("utf-8", "surrogateescape"), is_redacted


def _blocks(stdin: BinaryIO) -> Iterator[bytes]:
    """Whole lines, about a megabyte at a time, and never half a private key."""
    block = bytearray()
    for line in stdin:
        block += line
        is_open = block.rfind(_OPEN_KEY, -_BLOCK_BYTES) > block.rfind(_CLOSED_KEY, -_BLOCK_BYTES)
        if len(block) >= _BLOCK_BYTES * (2 if is_open else 1):
            yield bytes(block)
            block.clear()
    yield bytes(block)


def _filtered_lines(stdin: BinaryIO) -> Iterator[tuple[bytes, bool]]:
    for number, line in enumerate(stdin, start=1):
        if not line.strip():
            continue
        message = _message(line, number)
        message["text"], is_redacted = _redacted(message["text"])
        # Escaped, so that lone surrogates come out as they went in.
        yield json.dumps(message).encode() + b"\n", is_redacted


def _message(line: bytes, number: int) -> dict[str, Any]:
    try:
        message = json.loads(line.decode("utf-8", "surrogateescape"))
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict) or not isinstance(message.get("text"), str):
        raise UsageError(f'stdin, line {number}: expected {{"id": ..., "text": "..."}}')
    return message


def _set_library(wanted: bool) -> int:
    """Write the hooks' setting; raises UsageError where the library is not installed."""
    from compact_guard import data_home
    from compact_guard.hook import paths, redaction_library
    from compact_guard.install import safe_file

    if wanted and redaction_library.installed() is None:
        raise UsageError(
            f"{redaction_library.PINNED} is not installed: pip install 'compact-guard[redaction]'"
        )
    data_home.prepare()
    path = Path(paths.config_file())
    try:
        config = json.loads(path.read_bytes())
        behaviour = config.setdefault("behaviour", {})
        behaviour.pop(redaction_library.BEHAVIOUR_SETTING, None)
        config.pop(redaction_library.FOLDER_SETTING, None)
    except (ValueError, AttributeError) as error:
        raise UsageError(f"{path}: not a JSON object of settings: mend or delete it") from error
    if wanted:
        behaviour[redaction_library.BEHAVIOUR_SETTING] = redaction_library.PINNED
        config[redaction_library.FOLDER_SETTING] = redaction_library.folder()
    safe_file.write_private(path, json.dumps(config).encode() + b"\n")
    state = "use" if wanted else "do not use"
    sys.stdout.write(f"The hooks {state} {redaction_library.PINNED}: a new period begins.\n")
    return 0
