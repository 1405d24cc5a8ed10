"""Secrets that are assigned to a name: `NAME=value`, `"name": "value"`, `<name>value</name>`."""

from compact_guard.hook import redaction_cues as cues
from compact_guard.hook import redaction_passwords as passwords
from compact_guard.hook import redaction_placeholders as placeholders
from compact_guard.hook import redaction_values as values
from compact_guard.hook import redaction_words as words

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from compact_guard.hook.redaction import Span

# Everything is tried once, at the end of a cue, and nothing is given back: linear by structure.
_FOLLOW = (
    r"[A-Za-z0-9_.\-]{0,40}+[А-Яа-яёіїє]{0,6}+(?P<close>[\"'`*\])）}\\\x1a]{0,6}+)"
    r"(?:(?P<typed>\??[ \t]{0,2}:[ \t]{0,2}[&'A-Za-z\[\]|. ]{1,28}=[ \t]{0,3}(?=[\"'`]))"
    r"|(?P<pair>[\s,;{]{0,12}+(?:type[ \t]{0,4}=[ \t]{0,4}string\s{1,8})?"
    r"[\"']?(?:value|default|content|val)[\"'\\]{0,3}[ \t]{0,8}[:=][ \t]{0,3}"
    r"|</(?:key|name|Key|Name)>\s{0,16}<(?:string|value|Value|String)>)"
    r"|(?P<accessor>[ \t]{0,2}\{[ \t]{0,2}get;[^}\n]{0,24}\}[ \t]{0,2}=[ \t]{0,2})"
    r"|[ \t]{0,8}+(?P<sep>:=|=>|={1,3}|:(?!:)(?:[ \t]{0,2}[>|][+\-]?[ \t]{0,2}\r?\n)?"
    r"|[：＝]|->|→|⇒|—>)[ \t]{0,8}+"
    r"|(?P<loose>,[ \t]{0,2}+(?=[\"'])|,(?=[^\s])|[ \t]{0,3}[|┃│][ \t]{0,3}+|>(?!=)))"
    r"(?P<type>!!?[a-z]{3,8}[ \t]{1,2}|@?[bBrRuUfF]{0,2}(?=[\"']))?"
    r"(?P<open>[\"'`*「“«\\]{0,6}+|\[\[)"
)
_QUOTED = r"[^\"'`\s\\]{4,512}"
_BARE = r"[^\s\"'`<>(){}\[\],;&|，。；、）」”»\\\x1a]{4,512}"
# Brackets and signs belong to a value that runs to the next white space, up to a next name=.
_REST = r"(?:(?![;&,|]\w{1,40}=)[^\s\"'`\\\x1a，。；、）」”»]){0,8192}"
_QUOTED_REST = r"[^\"'`\s\\]{0,8192}"
_SPACED = r"(?:[a-z0-9]{2,16}[ ]){3,24}[a-z0-9]{2,16}(?=[\"'])"
_REGEX_MARKS = ("[^", "(?", "[A-Z", "[a-z", "0-9]", "0-9A-", "a-zA-", "\\w", "\\d", "\\s")
_NESTED_MAX = 4
_BEFORE_CHARS, _BEHIND_CHARS = 120, 240  # nothing further away is looked at
_NAME_CHARS_MAX = 40
_COOKIE_NAME_CHARS_MAX = 40
_LABEL_CHARS_MAX = 12
_NAME_SIGNS = frozenset("_-.")


def spans_in(text: str, lowered: str, present: "tuple[str, ...]") -> "Iterator[Span]":
    """Values of secret names as `(start, end, kind)`; `present` cues occur in the text."""
    for cue in present:
        yield from _assigned(text, lowered, cue)


def _assigned(text: str, lowered: str, cue: str) -> "Iterator[Span]":
    follow = values.compiled(_FOLLOW)
    position, run_end, nested = 0, 0, 0
    refused: set[str] = set()  # what stands around a cue, so that repetition costs a look-up
    while (start := lowered.find(cue, position)) >= 0:
        position = start + len(cue)
        around = text[max(0, start - _BEFORE_CHARS) : start + _BEHIND_CHARS]
        if around in refused:
            continue
        match = follow.match(text, position)
        if match is None:
            refused.add(around)
            continue
        end, is_secret = _judged(text, lowered, cue, start, match)
        if not is_secret and end < start + _BEHIND_CHARS - 2:
            refused.add(around)
        if is_secret:
            yield match.end(), end, cues.kind_of(cue)
            position = max(position, end)
        # A name inside a refused value gets its chance, but not thousands in one long run.
        nested = nested + 1 if start < run_end else 0
        run_end = run_end if start < run_end else end
        if nested >= _NESTED_MAX:
            position = max(position, run_end)


def _judged(
    text: str, lowered: str, cue: str, start: int, match: "re.Match[str]"
) -> tuple[int, bool]:
    """Where the value ends, and whether it is a secret."""
    begin = match.end()
    pattern = _QUOTED if match["open"].strip("\\*") else _BARE
    value = values.compiled(pattern).match(text, begin)
    if value is None:
        return begin, False
    name = _whole_name(text, start, match)
    is_name = cues.is_cue(text, lowered, cue, start) and not cues.is_about(name)
    if not is_name or cues.in_arn(text, start):
        return value.end(), False
    cue = cues.qualified(lowered, cue, start)
    if _is_spaced_phrase(text, cue, match):
        spaced = values.compiled(_SPACED).match(text, begin)
        if spaced:
            return spaced.end(), True
    end = _full_end(text, value, match, name)
    content = text[begin:end]
    if match["open"].strip("\\*") and text[end : end + 1] == " " and not _is_strong(content):
        return end, False  # the first word of a sentence
    if _is_called(text, content, end) or placeholders.is_placeholder(text[begin : value.end()]):
        return end, False
    return end, _is_secret(content, cue, name, match) and not placeholders.is_placeholder(content)


def _is_spaced_phrase(text: str, cue: str, match: "re.Match[str]") -> bool:
    return cue in ("passphrase", "mnemonic", "seed") and bool(match["open"]) and bool(match["sep"])


def _whole_name(text: str, start: int, match: "re.Match[str]") -> str:
    left = start
    floor = max(0, start - _NAME_CHARS_MAX)
    while left > floor and (text[left - 1].isalnum() or text[left - 1] in _NAME_SIGNS):
        left -= 1
    return text[left : match.start("close")]


def _full_end(text: str, value: "re.Match[str]", match: "re.Match[str]", name: str) -> int:
    """Values in quotes end there; others at white space, or where a list goes on."""
    end = value.end()
    if match["open"].strip("\\*"):
        rest = values.compiled(_QUOTED_REST).match(text, end)
        return rest.end() if rest else end
    is_line = name.isupper() or match.group()[-1:] in (" ", "\t", "：")
    has_signs = text[end : end + 1] in ("&", "(", ")") and values.has_sign(value.group())
    if ((is_line or has_signs) and match["sep"]) or len(value.group()) == 512:
        rest = values.compiled(_REST).match(text, end)
        end = rest.end() if rest else end
    while end > value.start() and text[end - 1] in ".,:;?*)」”|":
        end -= 1
    for closing, opening in (("}", "{"), ("]", "[")):
        content = text[value.start() : end]
        if content.endswith(closing) and opening not in content:
            end -= len(content) - len(content.rstrip(closing))
    return end


def _is_called(text: str, value: str, end: int) -> bool:
    """`key = load_key(file)`: the result of a call is no literal."""
    at = min((at for sign in "([" if (at := value.find(sign)) > 0), default=0)
    name = value[:at] if at else value
    is_name = name.replace(".", "_").isidentifier()
    is_name = is_name and ("." in name or not values.is_random(name))
    return is_name and (at > 0 or text[end : end + 1] in ("(", "["))


def _is_secret(value: str, cue: str, name: str, match: "re.Match[str]") -> bool:
    if len(value) < 4 or values.is_media(value):
        return False
    if value.isdigit():
        is_password = cues.kind_of(cue) == "password" and cue not in ("login", "logon")
        return len(value) >= 6 and is_password and not match["loose"]
    is_own_name = cue in value.lower() and not values.has_digit(value)
    if is_own_name or _is_code(value) or _is_named_otherwise(value, cue, name):
        return False
    is_assigned = bool(match["sep"] or match["typed"])
    is_constant = name.isupper() and is_assigned  # `DB_PASSWORD=`
    is_constant &= match["sep"] == "=" or cues.kind_of(cue) == "password"
    if match["loose"] or cue in words.LOOSE:
        is_strong = _is_strong(value) and not values.is_harmless(value)
        is_odd_constant = is_constant and not match["loose"] and is_strong
        return is_odd_constant or _is_believable(value, cue, name)
    return is_constant or _is_strong(value) or _is_written_as_value(value, cue, match)


def _is_named_otherwise(value: str, cue: str, name: str) -> bool:
    """`Set-Cookie: lang=de`, `jwt: kid=…`, a key's UUID: other rules know what is secret there."""
    chars_max = _COOKIE_NAME_CHARS_MAX if cue == "cookie" else _LABEL_CHARS_MAX
    if cue in words.LOOSE and "=" in value[:chars_max].rstrip("="):
        return True
    return values.is_uuid(value) and name.lower().endswith(("key_id", "keyid", "key-id"))


def _is_written_as_value(value: str, cue: str, match: "re.Match[str]") -> bool:
    """`password = "unbelievable"`: the quotes, or the length, say that it is one."""
    if value.isalpha() and value.islower() and cues.kind_of(cue) != "password":
        return False
    if match["open"].strip("\\*") and (match["typed"] or match["sep"] in ("=", ":", ":=", "=>")):
        return "." not in value and len(value) >= 8
    is_prose = match.group().endswith((": ", "：")) or not (match["sep"] or match["typed"])
    return len(value) >= 16 and not is_prose


def _is_believable(value: str, cue: str, name: str) -> bool:
    """Random, or what a person makes up: enough where the name alone proves little."""
    if cues.kind_of(cue) == "password" and passwords.may_be_password(value):
        return True
    if values.is_harmless(value):
        return values.is_uuid(value) and cue not in words.ABOUT_IDS and name.lower() != "key"
    if values.is_hex(value) or values.is_random(value, 12):
        return cue != "key" or len(value) >= 16
    return cue != "key" and (values.is_password(value) or values.is_phrase(value))


def _is_strong(value: str) -> bool:
    """Not a word of prose: long enough, and letters mixed with digits or signs."""
    if len(value) < 6:
        return False
    signs = sum(not letter.isalnum() and letter not in "-_./:'" for letter in value)
    return values.has_digit(value) or (signs > 0 and len(value) >= 8)


def _is_code(value: str) -> bool:
    """An expression or a path rather than a literal: `self.token`, `a/b/c.py`, `60*24`."""
    value = value.rstrip("=!") or value
    if value[0] in "([{" or any(mark in value for mark in _REGEX_MARKS):
        return True
    if value[0] in "$/~.*+-" and not values.has_digit(value):
        return True
    if value.startswith(("/", "~/", "./", "../", "http://", "https://")):
        return True
    plain = value.replace(".", "").replace("_", "").replace("/", "").replace(":", "")
    is_dotted = "." in value and all(part.isidentifier() for part in value.split("."))
    is_name = (plain.isalpha() and ("." in value or "/" in value)) or (
        is_dotted and not values.is_random(value, 16)
    )
    return is_name or value.replace("*", "").isdigit()
