"""Secrets that a format of its own surrounds: URLs, headers, cookies, command lines, files."""

from compact_guard.hook import redaction_placeholders as placeholders
from compact_guard.hook import redaction_values as values
from compact_guard.hook.redaction_anchors import matches_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from compact_guard.hook.redaction import Span
    from compact_guard.hook.redaction_anchors import Anchors

_AUTHORIZATION = (
    r"authorization['\"`\\]{0,4}\s{0,3}[:=]\s{0,3}['\"`\\]{0,4}(?:[a-z][a-z0-9\-]{2,15}[ \t]{1,4})?"
    r"([a-z0-9_\-.~+/]{8,4096}={0,3})"
)
# A scheme says that the UUID behind it is no mere id.
_AUTHORIZATION_ID = (
    r"authorization['\"`\\]{0,4}\s{0,3}[:=]\s{0,3}['\"`\\]{0,4}[a-z][a-z0-9\-]{2,15}[ \t]{1,4}"
    r"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![\w\-])"
)
_SCHEME = r"(?<![a-z])(?:bearer|basic|apikey|token)[ \t]{1,4}([a-z0-9_\-.~+/]{16,4096}={0,3})"
_SIGNED = r"(?:response|signature|mac)=\"?([a-z0-9+/%_\-~]{24,1024}={0,2})"
_PGPASS = r":(?:[0-9]{4,5}|\*):[^\s:/]{1,64}:[^\s:/]{1,64}:([^\s:'\"]{4,128})"
_PORTS = (":5432:", ":3306:", ":5433:", ":6432:", ":*:", ":1433:", ":27017:", ":26257:", ":5439:")
# A password may hold what ends it: the last `@` in front of a host counts.
_URL_PASSWORD = (
    r"://[^\s/:@'\"<>]{0,64}:(?![0-9]{1,5}/)"
    r"([^\s/@'\"<>][^\s@'\"<>]{2,255}(?:@[^\s/@'\"<>,;&=:]{1,64}){0,3})@(?!sha256:)"
)
_NETRC = (
    r"(?:login|user(?:name)?)[ \t:=]{1,3}[^\s:=]{1,64}[\s,]{1,8}pass(?:word|wd)?[ \t:=]{1,3}"
    r"['\"]?((?:(?![,;&]\w{1,40}=)[^\s'\"]){4,256})"
)
_API_PARAMETER = (  # names of keys that say it in no word of ours
    r"[?&](?:appid|app_id|ak|sk|k|key|wskey|authkey|user_key|servicekey|crtfc_key|uid|u|apitoken"
    r"|subscription-key|access|hapikey|x-key)=([0-9a-f]{32,64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"
    r"(?![0-9a-z_\-])"
)
_MAIL_PASSWORD = (  # `relay@example.com:…`, but no `git@example.com:acme/app.git`
    r"@(?:[\w\-]{1,63}\.){1,6}[a-z]{2,12}(?::| / )(?![0-9]{1,5}(?!\S))"
    r"([^\s:/'\"@]{6,64})(?!\S|[\w.])"
)
_ADDRESS_KEY = r"/v[0-9]{1,2}/([0-9a-f]{32}|(?=[a-z_\-]{0,40}[0-9])[0-9a-z_\-]{28,64})(?![\w\-.])"
_WIFI = r"wifi:(?:[^\n]{0,120}?;)?p:([^;\n]{4,128});"  # what a picture of squares holds
_MAILED = (  # links that stand for a password
    "/reset/", "/reset-password/", "/verify/", "/confirm/", "/activate/", "/magic/", "/invitation/",
    "/unsubscribe/", "/accept/",
)  # fmt: skip
_BRACED = r"(?:pwd|password)=\{([^\s]{4,128}?)\}(?=[;\"'\s]|$)"
_STORAGE_KEY = r"\"value\": ?\"([a-z0-9+/]{86}==)\""
_BLOCK = (  # `resource "random_password" "db" { result = "…"`
    r"[a-z]{3,8}\"(?:[ ]{0,2}\"[\w\-]{1,64}\")?[ ]{0,2}\{[^{}]{0,240}?(?<![\w])"
    r"(?:result|value|secret_string|content|plaintext|secret_data|string_value)"
    r"[ ]{0,24}=[ ]{0,3}\"([^\"\n]{6,512})\""
)
_HOOK_PARAMETER = r"hook[a-z0-9/]{0,24}\?(?:key|token|access_token|code)=([a-z0-9_\-]{12,160})"
# (strings at which it begins, kind, pattern on the text in lower case, must it have a digit)
RULES = (
    (("://",), "url-password", _URL_PASSWORD, False),
    (("wifi:",), "password", _WIFI, False),
    (_MAILED, "token", r"/[a-z\-]{5,16}/([a-z0-9_\-.]{20,256})", True),
    (("/v",), "key", _ADDRESS_KEY, True),
    (("?", "&"), "key", _API_PARAMETER, False),
    (("@",), "password", _MAIL_PASSWORD, True),
    (('password"', 'secret"', 'token"', 'key"'), "secret", _BLOCK, True),
    (("://",), "url-token", r"://([a-z0-9_\-.]{16,256})@", True),
    (("login", "user"), "password", _NETRC, True),
    (("pwd={", "password={"), "password", _BRACED, True),
    (('"value"',), "key", _STORAGE_KEY, True),
    (("thin:",), "url-password", r"thin:[^\s/:@]{1,64}/([^\s@'\"]{3,128})@", False),
    (("bearer", "basic", "token ", "apikey "), "authorization", _SCHEME, True),
    (("authorization",), "authorization", _AUTHORIZATION, True),
    (("authorization",), "authorization", _AUTHORIZATION_ID, False),
    (("signature=", "response=", "mac="), "signature", _SIGNED, True),
    (_PORTS, "password", _PGPASS, False),
    (("hook.", "hooks."), "webhook", r"hooks?\.[a-z0-9.\-]{3,80}/([a-z0-9_\-/@]{12,320})", True),
    (("/api/webhooks/",), "webhook", r"/api/webhooks/([a-z0-9_\-/]{30,160})", True),
    (("hook",), "webhook", r"hook[a-z0-9]{0,4}/([a-z0-9@_\-/]{12,320})", True),
    (("hook",), "webhook", _HOOK_PARAMETER, False),
    (("/hooks/catch/",), "webhook", r"/hooks/catch/([a-z0-9_\-/]{12,160})", False),
    (("/hook/",), "webhook", r"/hook/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})", False),
    (
        ("/key/", "/token/", "/push/", "/ping/", "hc-ping.com/", "/private-", "/invite/"),
        "token",
        r"(?:/(?:key|token|push|ping|invite)/|hc-ping\.com/|/private-)([a-z0-9_\-]{16,160})",
        True,
    ),
    (("code=",), "authorization", r"(?<=[?&])code=([a-z0-9/_%.\-~=]{20,1024})", True),
    (("/bot",), "telegram-token", r"/bot([0-9]{6,12}:[a-z0-9_\-]{20,60})", True),
)
_COOKIES = r"(?:cookie2?['\"]{0,2}[:=]\s{0,2}['\"]?|(?<![\w\-])-b ['\"](?=[\w.\-]{1,64}=))"
_COOKIE_ANCHORS = ("cookie", "-b ")
TABLE = (*RULES, (_COOKIE_ANCHORS,))  # without one of its anchors nothing is found
_COOKIE = r"([\w.\-]{1,64})=([^;\s\"',]{12,4096})"
_COOKIE_HEADER_CHARS_MAX = 4_096


def spans_in(text: str, lowered: str, present: "Anchors") -> "Iterator[Span]":
    """Secrets as `(start, end, kind)`."""
    for anchors, kind, pattern, digits in present.rules(RULES):
        for match in matches_at(lowered, anchors, pattern):
            start, end = match.span(1)
            value = text[start:end]
            # `guest:guest@`: a default that everybody knows.
            is_default = text.startswith(f"/{value}:", start - len(value) - 2)
            if _is_secret(value, digits) and not is_default:
                yield start, end, kind
    yield from _cookies(text, lowered, present.words(_COOKIE_ANCHORS))


def _is_secret(value: str, digits: bool) -> bool:
    if placeholders.is_placeholder(value) or value.startswith(("${", "$(", "%(", "{", "<")):
        return False
    if value[0] == "-" and "}" in value:  # a default: `${USER:-ann}`
        return False
    # An address tells by the longest part of its path.
    told = max(value.split("/"), key=len) if "/" in value else value
    if digits and values.is_harmless(told) and not values.is_phrase(told):
        return False
    return not digits or values.has_digit(value)


def _cookies(text: str, lowered: str, anchors: "tuple[str, ...]") -> "Iterator[Span]":
    position = 0
    # In the text's order, not by anchor: what is read already is told by a position.
    for match in sorted(matches_at(lowered, anchors, _COOKIES), key=lambda found: found.start()):
        if match.end() < position:
            continue  # inside a header that is read already
        limit = match.end() + _COOKIE_HEADER_CHARS_MAX
        ends = [text.find(sign, match.end(), limit) for sign in ('"', "\n")]
        position = min((end for end in ends if end >= 0), default=min(limit, len(text)))
        for pair in values.compiled(_COOKIE).finditer(text, match.end(), position):
            if values.is_random(pair[2], 12) or values.is_hex(pair[2]) or values.is_uuid(pair[2]):
                yield pair.start(2), pair.end(2), "cookie"
