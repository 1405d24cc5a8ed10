"""Secrets that nobody names: a maker's name beside them, or talk of what a server did with them."""

from compact_guard.hook import redaction_candidates as candidates
from compact_guard.hook import redaction_values as values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from compact_guard.hook.redaction import Span

# Makers of keys that have no mark of their own.
MAKERS = (
    "pagerduty", "datadog", "algolia", "twilio", "mailgun", "opsgenie", "fastly", "rollbar",
    "bugsnag", "honeycomb", "cohere", "mistral", "deepgram", "assemblyai", "elevenlabs",
    "freshdesk", "zendesk", "intercom", "mixpanel", "amplitude", "codecov", "snyk", "sonarcloud",
    "cloudinary", "pusher", "mattermost", "okta", "auth0", "gitea", "jenkins", "azure devops",
    "messagebird", "vonage", "nexmo", "plivo", "etherscan", "infura", "alchemy", "binance",
    "kraken", "coinbase", "openweather", "mapquest", "ipinfo", "virustotal", "shodan", "censys",
    "bitly", "tinify", "logdna", "loggly", "splunk", "papertrail", "dnsimple", "namecheap",
    "godaddy", "vultr", "scaleway", "hetzner", "linode", "ovh", "imgur", "unsplash", "pexels",
    "giphy", "trello", "asana", "wakatime", "heroku", "contentstack", "sumologic", "logz.io",
)  # fmt: skip
# What is said of a key that a server was shown, in the languages people say it in.
TALK = (
    "401", "403", "scope", "unauthori", "forbidden", "revoke", "expired", "rejected", "leaked",
    "rotate", "widerrufen", "abgelaufen", "révoqu", "expiré", "caducad", "revocad", "отозва",
    "истёк", "истек", "失效", "过期", "無効", "期限切れ", "만료",
)  # fmt: skip
HINTS = (*MAKERS, *TALK)
_STATUS = "(?<![0-9])40[13](?![0-9])"
_TALK = "|".join((_STATUS, *TALK[2:]))
_CLEAR_TALK = f"{_STATUS}|scope|unauthori|revoke|отозва|失效|widerrufen"
_TALK_BEFORE, _TALK_BEHIND = 60, 100
_MAKER_CHARS = 24
_APART = r"\n\n|\"[,}\n]"  # what stands behind it is another text
_LINKS = ("", ":", "=", "->", "→", "-", "—", "is", "one:", "：")
_EDGES = frozenset("+/\"'`<>()[]{}«»「」，。、；：“”|,;: \t\r\n")
_LONG_CHARS = 160
# A curve's constants have long runs of one digit.
_CHAIN_KEY = r"(?<![0-9A-Za-z])0[xX](?![fF0]{8})[0-9a-fA-F]{64}(?![0-9A-Za-z])"
_CHAIN_BEFORE, _CHAIN_BEHIND = 64, 32
_CHAIN_WORDS = (
    "tx", "hash", "block", "transaction", "root", "topic", "receipt", "parent", "slot", "proof",
    "commit", "bytes32", "keccak", "confirmed", "mined", "reverted", "event", "storage", "merkle",
    "state", "uint256", "digest", "order", "prime", "curve", "public", "pubkey", "calldata",
)  # fmt: skip


def is_unnamed(text: str, lowered: str, start: int, end: int, level: int) -> bool:
    """Whether a word that no cue announces is a secret for what stands around it."""
    is_hex = values.is_hex(text[start:end], 32)
    if values.is_uuid(text[end - 36 : end]):  # a thing's name
        return False
    if level != candidates.SURELY and not is_hex:
        return False
    return _is_made_known(lowered, start, is_hex) or _is_talked_of(
        text, lowered, start, end, is_hex
    )


def _is_made_known(lowered: str, start: int, is_hex: bool) -> bool:
    """`PagerDuty: u+Hmx6…`: the maker's name, and nothing else, stands in front."""
    before = lowered[max(0, start - _MAKER_CHARS) : start].rstrip(" \"'`*(")
    for link in _LINKS:
        if before.endswith(link):
            name = before[: len(before) - len(link)].rstrip(" \"'`*)")
            if name.endswith(MAKERS) and not (is_hex and not link):
                return True
    return False


def _is_talked_of(text: str, lowered: str, start: int, end: int, is_hex: bool) -> bool:
    """`Xk3v9Q…` and, close to it: it was revoked; which scopes does it need?"""
    following = text[end : end + 1] or " "
    if not {text[start - 1 : start] or " ", following} <= _EDGES or following == "(":
        return False
    talk = values.compiled(_CLEAR_TALK if is_hex else _TALK)
    before = values.compiled(_APART).split(lowered[max(0, start - _TALK_BEFORE) : start])[-1]
    behind = values.compiled(_APART).split(lowered[end : end + _TALK_BEHIND])[0]
    return bool(talk.search(before) or talk.search(behind))


def chain_keys(text: str, lowered: str) -> "Iterator[Span]":
    """Private keys of a chain look as its hashes do; those are called so."""
    apart = values.compiled(_APART)
    for match in values.compiled(_CHAIN_KEY).finditer(text):
        start, end = match.span()
        before = apart.split(lowered[max(0, start - _CHAIN_BEFORE) : start])[-1]
        behind = apart.split(lowered[end : end + _CHAIN_BEHIND])[0]
        if not any(word in before or word in behind for word in _CHAIN_WORDS):
            yield start, end, "wallet-key"
