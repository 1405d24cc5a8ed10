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
_TITLE_CHARS_MAX = 60
_BODY_CHARS_MAX = 40_000
_MEDIA_CHARS_MIN = 50
_DATA_URI = r";base64,[A-Za-z0-9+/=]{16,9999999}"


def public_spans(text: str, present: "Anchors") -> "Iterator[tuple[int, int]]":
    """Where such texts stand, as `(start, end)`: no rule needs to read them."""
    if any(mark in text for mark in present.words(values.MEDIA)):
        marks = "|".join(values.MEDIA)
        pattern = f"(?<![A-Za-z0-9+/])(?:{marks})[A-Za-z0-9+/=]{{{_MEDIA_CHARS_MIN},9999999}}"
        for match in values.compiled(pattern).finditer(text):
            yield match.span()
    if ";base64," in text:
        for match in values.compiled(_DATA_URI).finditer(text):
            yield match.span()
    if "ENC[" in text:
        for match in values.compiled(_ENCRYPTED).finditer(text):
            yield match.span()
    if _BEGIN in text:
        yield from _blocks(text)


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
