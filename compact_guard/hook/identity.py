"""Every hash and id of the guard: defined here and nowhere else.

All hashes are lower-case hexadecimal SHA-256.
"""

import os

from compact_guard.hook.limits import VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    import hashlib
    from hashlib import sha256
else:
    try:  # OpenSSL behind hashlib costs 2 ms of start-up; CPython's own SHA-256 costs none.
        from _sha2 import sha256  # Python 3.12 and later
    except ImportError:
        try:
            from _sha256 import sha256
        except ImportError:
            from hashlib import sha256


def hash_bytes(content: bytes) -> str:
    """Hash of raw bytes: of a transcript's first line, of a checkpoint file."""
    return str(sha256(content).hexdigest())


def new_hasher() -> "hashlib._Hash":
    """A hasher with `update(bytes)` and `hexdigest()`, for content that is read in pieces."""
    return sha256()


def session_hash(agent: str, session_id: str) -> str:
    """Names a session of an agent without revealing its id."""
    return _salted(agent, session_id)


def turn_hash(agent: str, turn_id: str) -> str:
    """Names a turn of an agent without revealing its id."""
    return _salted(agent, turn_id)


def unknown_session_hash() -> str:
    """For a run whose payload names no session: pairs with nothing."""
    return os.urandom(32).hex()


def new_event_id() -> str:
    """Unique per audit row."""
    return os.urandom(16).hex()


def new_nonce() -> str:
    """Makes a checkpoint's hash name one checkpoint, not a content."""
    return os.urandom(16).hex()


def guard_fingerprint(adapter_file: str, behaviour: bytes) -> str:
    """Hash of version, delivery code and behaviour settings; no path, host or interpreter.

    `adapter_file` is the agent adapter's source file; `behaviour` the canonical settings.
    Raises OSError when a source file cannot be read.
    """
    hasher = sha256(f"{VERSION}\n".encode())
    for name, path in _delivery_code(adapter_file):
        with open(path, "rb", buffering=0) as file:
            content = file.read()
        hasher.update(f"{name} {len(content)}\n".encode())
        hasher.update(content)
    hasher.update(behaviour)
    return str(hasher.hexdigest())


def _delivery_code(adapter_file: str) -> list[tuple[str, str]]:
    """Every source file of the hot path: ours, and the adapter's that are named `hook….py`."""
    code = []
    for kind, file, start in (("hook", __file__, ""), ("adapter", adapter_file, "hook")):
        folder = os.path.dirname(os.path.abspath(file))
        names = [n for n in os.listdir(folder) if n.startswith(start) and n.endswith(".py")]
        code += [(f"{kind}/{name}", os.path.join(folder, name)) for name in names]
    return sorted(code)


def _salted(agent: str, identifier: str) -> str:
    return hash_bytes(f"{agent}:{identifier}".encode("utf-8", "surrogatepass"))
