"""Where the secrets of one text are. Rules are anchored at plain strings and bounded behind them,
so that any input costs linear time and a pattern is only compiled when its anchor occurs.
"""

import re

from compact_guard.hook import redaction_names, redaction_pem, redaction_vendors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from compact_guard.hook.redaction import Span

_URL_PASSWORD = r"://([^\s/:@'\"<>]{0,64}):([^\s/@'\"<>]{3,256})@"
_SCHEME = r"(?i)(?:bearer|basic|token|digest)[ \t]{1,4}([A-Za-z0-9_\-.~+/]{8,4096}={0,3})"
_AUTHORIZATION = (
    r"(?i)authorization['\"`]?\s{0,3}[:=]\s{0,3}['\"`]?(?:[a-z]{3,16}[ \t]{1,4})?"
    r"([A-Za-z0-9_\-.~+/]{8,4096}={0,3})"
)
_USER_OPTION = (
    r"(?<![\w-])(?:-u|--user|--proxy-user)[ =]{0,2}['\"]?[^\s:'\"]{1,64}:([^\s'\"]{3,256})"
)
_PASSWORD_OPTION = (
    r"(?i)(?:--(?:[a-z-]{0,24}(?:password|passwd|passphrase|token|secret|api-?key|access-?key))"
    r"[ \t]{1,3}|sshpass -p ?|mysql[^\n]{0,80}? -p)['\"]?([^\s'\"]{4,512})"
)
_patterns: dict[str, re.Pattern[str]] = {}


def spans_in(text: str) -> "Iterator[Span]":
    """Secrets as `(start, end, kind)`, in no order, possibly overlapping."""
    lowered = text.lower()
    if "-----" in text:
        yield from redaction_pem.spans_in(text)
    yield from redaction_vendors.spans_in(text)
    if "://" in text and "@" in text:
        yield from _strong_groups(text, _URL_PASSWORD, 2, "url-password", digits=False)
    if any(word in lowered for word in ("bearer", "basic", "authorization")):
        yield from _strong_groups(text, _SCHEME, 1, "authorization")
        yield from _strong_groups(text, _AUTHORIZATION, 1, "authorization")
    if "-u" in text or "--user" in text or "--proxy-user" in text:
        yield from _strong_groups(text, _USER_OPTION, 1, "password", digits=False)
    if "--" in text or " -p" in text:
        yield from _strong_groups(text, _PASSWORD_OPTION, 1, "password", digits=False)
    yield from redaction_names.spans_in(text, lowered)


def _strong_groups(
    text: str, pattern: str, group: int, kind: str, digits: bool = True
) -> "Iterator[Span]":
    for match in _pattern(pattern).finditer(text):
        value = match.group(group)
        if redaction_names.is_placeholder(value):
            continue
        if not digits or redaction_names.has_digit(value):
            yield match.start(group), match.end(group), kind


def _pattern(source: str) -> re.Pattern[str]:
    if source not in _patterns:
        _patterns[source] = re.compile(source)
    return _patterns[source]
