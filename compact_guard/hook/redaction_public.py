"""What looks random and is for everybody: certificates, public keys, signatures, media."""

from compact_guard.hook import redaction_values as values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from compact_guard.hook.redaction_anchors import Anchors

_BEGIN, _END, _DASHES = "-----BEGIN ", "-----END ", "-----"
_TITLES = (
    "PUBLIC KEY", "CERTIFICATE", "SIGNATURE", "X509 CRL", "DH PARAMETERS", "AGE ENCRYPTED FILE",
    "PGP MESSAGE", "PKCS7", "CMS",
)  # fmt: skip
# What SOPS encrypted: may stand in a repository.
_ENCRYPTED = r"ENC\[[A-Z0-9_]{3,24},data:[^\]\s]{0,8192}\]"
_DATA_URI = r";base64,[A-Za-z0-9+/=]{16,9999999}"
_CONTENT_ID = "(?<![A-Za-z0-9])baf[ky][a-z2-7]{55,60}(?![A-Za-z0-9])"
_MINISIGN = r"minisign public key(?:\n|\\n)[A-Za-z0-9+/]{40,80}={0,2}"
_MARKED = (  # (what is in all of them, pattern)
    (";base64,", _DATA_URI),
    ("ENC[", _ENCRYPTED),
    ("baf", _CONTENT_ID),
    ("minisign public key", _MINISIGN),
)
_JWK, _JWK_CHARS_MAX = '"kty', 2_048  # with a "d" in it, it is a private one
_TITLE_CHARS_MAX = 60
_BODY_CHARS_MAX = 40_000
_MEDIA_CHARS_MIN = 50


def public_spans(text: str, present: "Anchors") -> "Iterator[tuple[int, int]]":
    """Where such texts stand, as `(start, end)`: no rule needs to read them."""
    if any(mark in text for mark in present.words(values.MEDIA)):
        marks = "|".join(values.MEDIA)
        pattern = f"(?<![A-Za-z0-9+/])(?:{marks})[A-Za-z0-9+/=]{{{_MEDIA_CHARS_MIN},9999999}}"
        for match in values.compiled(pattern).finditer(text):
            yield match.span()
    for sign, pattern in _MARKED:
        if sign in text:
            for match in values.compiled(pattern).finditer(text):
                yield match.span()
    if _JWK in text:
        yield from _web_keys(text)
    if _BEGIN in text:
        yield from _blocks(text)


def _web_keys(text: str) -> "Iterator[tuple[int, int]]":
    """Curves' public keys as JSON, which say that by having no private part."""
    position = 0
    while (at := text.find(_JWK, position)) >= 0:
        position = at + len(_JWK)
        start = text.rfind("{", max(0, at - _JWK_CHARS_MAX), at)
        end = text.find("}", at, at + _JWK_CHARS_MAX)
        if 0 <= start < end:
            position = end
            names = text[start:end].replace(" ", "").replace("\\", "")
            if '"x":' in names and '"d":' not in names and '"k":' not in names:
                yield start, end


def _blocks(text: str) -> "Iterator[tuple[int, int]]":
    position = 0
    while (start := text.find(_BEGIN, position)) >= 0:
        position = start + len(_BEGIN)
        title_end = text.find(_DASHES, position, position + _TITLE_CHARS_MAX)
        title = text[position:title_end] if title_end >= 0 else ""
        if not any(public in title for public in _TITLES):
            continue
        following = text.find(_BEGIN, position, position + _BODY_CHARS_MAX)
        limit = following if following >= 0 else title_end + _BODY_CHARS_MAX
        closing = text.find(f"{_END}{title}", title_end, limit)
        if closing >= 0:
            yield start, closing + len(_END) + len(title)
            position = closing
