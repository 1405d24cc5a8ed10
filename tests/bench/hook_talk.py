"""What is said in the transcripts of the bench of the hooks, as `(speaker, text)`, oldest first.

`remarks` is what people say, some of them at once; `templates` fills in a few sentences with words,
paths and numbers, and pastes a log now and then.
"""

import random
from collections.abc import Callable
from functools import partial

from tests.bench.quality import conversations

Messages = list[tuple[str, str]]
Talk = Callable[[int, int], Messages]  # of a size in MB of transcript and a seed

BYTES_PER_MB, BYTES_PER_MB_OF_TEMPLATES = 30_000, 5_600
REMARK_BYTES = 97  # of what is told at once, on average
_WORDS = (
    "the", "of", "build", "test", "error", "module", "import", "return", "value", "config",
    "server", "client", "request", "token", "cache", "schema", "index", "query", "table",
    "column", "parse", "write", "read", "file", "path", "line", "function", "class", "async",
    "await", "retry", "timeout", "branch", "commit", "merge", "deploy", "metric", "event",
    "queue", "worker", "thread", "lock", "session", "hook", "compact", "context", "window",
    "prompt", "result", "check", "guard", "rule", "policy", "user", "assistant", "tool",
    "output", "input",
)  # fmt: skip
_TYPED = (
    "Please {} the {} in {path} and keep the {} unchanged.",
    "No, that's wrong: use {} instead of {}. Don't touch {path}.",
    "We decided: {} stays on DuckDB, the {} goes to {path}.",
    "Constraint: never call the network in {path}; max {number} ms per {}.",
    "TODO: add a test for {} in {path}, then the {} docs.",
    "Why does {path} fail with {}? Show evidence from the log.",
    "ok go on",
)
_ANSWERED = (
    "I'll look at {path} first, then change the {}.",
    "Root cause: {} in {path}:{number} returns before the {} is flushed. Measured {number} ms.",
    "Decision: keep {}, drop {}. All {number} tests pass.",
    "Next steps: 1) {} 2) {} 3) re-run {path}.",
)
_PASTE_SHARE, _PASTE_CHARS = 0.05, (500, 4_000)
_ANSWER_SHARE = 0.6  # of the steps between two prompts, which are two to thirteen
_LOG_LINES = 6_000


def remarks(at_once: int) -> Talk:
    """In turns, that many remarks in each message."""
    return partial(_remarks, at_once)


def templates(bytes_per_mb: int) -> Talk:
    """Prompts, what is answered between the tools' outputs, and a last answer."""
    return partial(_templates, bytes_per_mb)


def _remarks(at_once: int, size_mb: int, seed: int) -> Messages:
    said = conversations.tell("en", "tuned", size_mb * BYTES_PER_MB // REMARK_BYTES, seed).messages
    return [
        (speaker, " ".join(text for _, text in said[start + offset : start + 2 * at_once : 2]))
        for start in range(0, len(said), 2 * at_once)
        for offset, speaker in enumerate(("user", "assistant"))
    ]


def _templates(bytes_per_mb: int, size_mb: int, seed: int) -> Messages:
    chance = random.Random(seed)
    log = _log(chance)
    left = size_mb * bytes_per_mb
    said: Messages = []
    while left > 0:
        turn = _turn(chance, log)
        left -= sum(len(text.encode()) for _, text in turn)
        said += turn
    return said


def _turn(chance: random.Random, log: str) -> Messages:
    prompt = _filled(chance, _TYPED)
    if chance.random() < _PASTE_SHARE:
        start = chance.randrange(len(log) - max(_PASTE_CHARS))
        prompt += "\n" + log[start : start + chance.randrange(*_PASTE_CHARS)]
    steps = sum(chance.random() < _ANSWER_SHARE for _ in range(chance.randrange(2, 14)))
    answers = [_filled(chance, _ANSWERED) for _ in range(steps)]
    last = " ".join(_filled(chance, _ANSWERED) for _ in range(chance.randrange(1, 6)))
    return [("user", prompt), *(("assistant", text) for text in (*answers, last))]


def _filled(chance: random.Random, sentences: tuple[str, ...]) -> str:
    sentence = chance.choice(sentences)
    words = chance.choices(_WORDS, k=sentence.count("{}"))
    return sentence.format(*words, path=_path(chance), number=chance.randrange(3, 900))


def _path(chance: random.Random) -> str:
    return f"src/{chance.choice(_WORDS)}/{chance.choice(_WORDS)}_{chance.randrange(90)}.py"


def _log(chance: random.Random) -> str:
    """Half words, a third code, and lines of a log with the numbers that such lines have."""
    return "\n".join(_line(chance, number) for number in range(_LOG_LINES))


def _line(chance: random.Random, number: int) -> str:
    one, two, three = chance.choices(_WORDS, k=3)
    kind = chance.random()
    if kind < 0.5:
        return " " * chance.randrange(12) + " ".join(chance.choices(_WORDS, k=chance.randrange(14)))
    if kind < 0.8:
        return f'{number:6d}\tdef {one}_{two}(self, {three}: int) -> "{two}":'
    return f"2026-11-30T09:{number % 60:02}:00Z INFO {one}={chance.getrandbits(48):x} {three}"
