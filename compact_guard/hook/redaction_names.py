"""Secrets that are assigned to a name: `NAME=value`, `"name": "value"`, `<name>value</name>`."""

from compact_guard.hook import redaction_assigned as assigned
from compact_guard.hook import redaction_candidates as candidates
from compact_guard.hook import redaction_cues as cues
from compact_guard.hook import redaction_passwords as passwords
from compact_guard.hook import redaction_phrases as phrases
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
    r"(?:(?P<typed>(?:\??[ \t]{0,2}:[ \t]{0,2}[&'A-Za-z\[\]|. ]{1,28}"
    r"|[ \t]{1,3}[sS]tring[ \t]{0,3})=[ \t]{0,3}(?=[\"'`]))"
    r"|(?P<pair>[\s,;:{]{0,24}+(?:target: ?\{ ?)?(?:Type: ?String\s{1,16})?"
    r"(?:NoEcho: ?true\s{1,16})?"
    r"(?:type[ \t]{0,4}=[ \t]{0,4}string\s{1,8})?"
    r"[\"']?(?:value|[dD]efault|content|val)[\"'\\]{0,3}[ \t]{0,8}[:=][ \t]{0,3}"
    r"|(?:</(?:key|name|Key|Name))?>\s{0,16}<(?:string|value|Value|String)>)"
    r"|(?P<accessor>[ \t]{0,2}\{[ \t]{0,2}get;[^}\n]{0,24}\}[ \t]{0,2}=[ \t]{0,2})"
    r"|[ \t]{0,8}+(?P<sep>:=|=>|={1,3}|\?\?=?|\?:|\|\|=?"
    r"|:(?!:|\?[\w ]{1,60}\})(?:[ \t]{0,2}[>|][+\-]?[ \t]{0,2}\r?\n)?|[：＝]|->|→|⇒|—>)[ \t]{0,8}+"
    r"|(?P<column>(?:[ ]{2,32}+|\r?\n[ \t]{0,8})(?=[^\s:|\"'<>]{6,128}[ \t]{0,8}(?:\r?\n|$)))"
    r"|(?P<loose>,[ \t]{0,2}+(?=[\"'])|,(?=[^\s])|[ \t]{0,3}[|┃│][ \t]{0,3}+|>(?!=)"
    r"|[ ]{1,3}(?=(?:[\"'«“„]|&[\w\-]{1,32} [\"'])[^\s\"'«»]{6,128}[\"'»”“])))"
    r"(?:<<[~\-]?[\"']?[A-Z]{2,8}[\"']?\r?\n[ \t]{0,8}|@[\"']\r?\n)?"
    r"(?P<type>!!?[a-z]{3,8}[ \t]{1,2}|&[\w\-]{1,32}[ ](?=[\"'])|@?[bBrRuUfF]{0,2}(?=[\"']))?"
    r"(?P<open><!\[CDATA\[|\[\[|[\"'`*「“«\\]{0,6}+)"
)
_BRACKETED = r"[^\]\s]{4,512}"
_QUOTED = r"[^\"'`»”\s\\]{4,512}"
_BARE = r"[^\s\"'`<>(){}\[\],;&|，。；、）」”»\\\x1a]{4,512}"
# Brackets and signs belong to a value that runs to the next white space, up to a next name=.
_REST = r"(?:(?![;&,|]\w{1,40}=)[^\s\"'`\\\x1a，。；、）」”»]){0,8192}"
_ELEMENT = r"[^<>\s\"'`(){}\[\]]{4,512}"
_LINE = r"[^\s\"'`\\\x1a]{4,512}"  # to the end of its line
_WILD = r"(?:(?![;&,|]\w{1,40}=)[^\s\"'`\\\x1a]){8,128}(?=[ \t]{0,4}(?:\r?\n|$))"
_QUOTED_NOISE = r"(?:(?!%s)[ -~]){40,128}"
_QUOTED_REST = r"[^\"'`»”\s\\]{0,8192}"
_SPACED = r"(?:[a-z0-9]{2,16}[ ]){3,24}[a-z0-9]{2,16}(?=[\"'])"
_VALUE_WORDS = frozenset("vdctVDCT")  # how `value`, `default`, `content` and `type` begin
_TYPE_WORDS = ("str", "Str")  # how `string` begins
_OTHER_LETTERS = "\u0530"  # behind Latin, Greek and Cyrillic
_NESTED_MAX = 4
_BEFORE_CHARS, _BEHIND_CHARS = 120, 240  # nothing further away is looked at
_NAME_CHARS_MAX = 40
_JUDGED_CHARS_MAX = 512  # of a value: enough to tell what it is
_NAME_SIGNS = frozenset("_-.")
_NO_NAMES = ("://", "checksum/")  # an address begins behind it; a secret's checksum is none


def spans_in(text: str, lowered: str, present: "tuple[str, ...]") -> "Iterator[Span]":
    """Values of secret names as `(start, end, kind)`; `present` cues occur in the text."""
    for cue in present:
        yield from _assigned(text, lowered, cue)


def _assigned(text: str, lowered: str, cue: str) -> "Iterator[Span]":
    position, run_end, nested = 0, 0, 0
    # By what stands around a cue, so that repetition costs a look-up.
    known: dict[tuple[int, str], tuple[int, int, bool]] = {}
    while (start := lowered.find(cue, position)) >= 0:
        position = start + len(cue)
        if _goes_on(text[position : position + 4]):
            continue
        before = min(start, _BEFORE_CHARS)
        around = (before, text[start - before : start + _BEHIND_CHARS])
        judged = known.get(around)
        begin, end, is_secret = judged or _judged(text, lowered, cue, start)
        if end < _BEHIND_CHARS - 2:
            known[around] = begin, end, is_secret
        if is_secret:
            yield start + begin, start + end, cues.kind_of(cue)
            position = max(position, start + end)
        elif judged or end == 0:
            continue
        # A name inside a refused value gets its chance, but not thousands in one long run.
        nested = nested + 1 if start < run_end else 0
        run_end = run_end if start < run_end else start + end
        if nested >= _NESTED_MAX:
            position = max(position, run_end)


def _goes_on(following: str) -> bool:
    """True if a sentence goes on behind a cue, so that nothing is assigned there."""
    if following[:1] == " ":
        is_word = following[1:2].isalpha() and following[1] not in _VALUE_WORDS
        return is_word and following[1:] not in _TYPE_WORDS
    return following[:1] >= _OTHER_LETTERS and following[0].isalpha()


def _judged(text: str, lowered: str, cue: str, start: int) -> tuple[int, int, bool]:
    """Where the value begins and ends, from the cue's start, and whether it is a secret."""
    match = values.compiled(_FOLLOW).match(text, start + len(cue))
    if match is None:
        return 0, 0, False
    end, is_secret = _value_of(text, lowered, cue, start, match)
    return match.end() - start, end - start, is_secret


def _value_of(
    text: str, lowered: str, cue: str, start: int, match: "re.Match[str]"
) -> tuple[int, bool]:
    begin = match.end()
    noise = _noise_at(text, begin) or _wild_at(text, match)
    value = noise or values.compiled(_value_pattern(match)).match(text, begin)
    if value is None:
        return begin, False
    name = _whole_name(text, start, match)
    behind = text[start + len(cue) : match.start("close")]
    is_name = cues.is_cue(text, lowered, cue, start) and not cues.is_about(name, behind)
    name_start = match.start("close") - len(name)
    is_name &= not text.endswith(_NO_NAMES, 0, name_start)
    is_name &= match["column"] is None or _opens_line(text, name_start)
    if not is_name or noise or cues.in_arn(text, start) or cues.is_digest(text, begin):
        return value.end(), is_name and bool(noise)
    cue = cues.qualified(lowered, cue, start)
    spaced_end = _spaced_end(text, cue, match)
    if spaced_end:
        return spaced_end, True
    end = _full_end(text, value, match, name)
    content = text[begin : min(end, begin + _JUDGED_CHARS_MAX)]
    if text[name_start - 1 : name_start] == "/":  # `id/pw = ann/…`
        content = content.rpartition("/")[2]
    is_in_quotes = match["open"].strip("\\*") != ""
    # Or it is the first word of a sentence.
    is_said = is_in_quotes and text[end : end + 1] == " " and not assigned.is_strong(content)
    is_alias = match["open"] == "*" and content.isidentifier()  # `pass: *name`, in YAML
    is_stand_in = is_alias or any(
        map(placeholders.is_placeholder, (text[begin : value.end()], content))
    )
    if is_said or is_stand_in or _is_called(text, content, end):
        return end, False
    return end, assigned.is_secret(content, cue, name, match)


def _noise_at(text: str, begin: int) -> "re.Match[str] | None":
    if text[begin - 1] in "'\"":
        match = values.compiled(_QUOTED_NOISE % text[begin - 1]).match(text, begin)
        if match and passwords.is_salt(match.group()):
            return match
    match = values.compiled(candidates.LINE_NOISE).match(text, begin)
    return match if match and passwords.is_line_noise(match.group()) else None


def _wild_at(text: str, match: "re.Match[str]") -> "re.Match[str] | None":
    """A value with signs that end others, where a line holds nothing else behind the name."""
    if not match["sep"] or match["open"]:
        return None
    value = values.compiled(_WILD).match(text, match.end())
    if value is None or not passwords.is_wild(value.group()):
        return None
    return None if placeholders.is_placeholder(value.group()) else value


def _value_pattern(match: "re.Match[str]") -> str:
    if match["open"].endswith("["):
        return _BRACKETED
    if match["column"]:
        return _LINE
    if match["loose"] and match["loose"][-1] == ">":
        return _ELEMENT
    return _QUOTED if match["open"].strip("\\*") else _BARE


def _spaced_end(text: str, cue: str, match: "re.Match[str]") -> int:
    """Where a passphrase of several words in quotes ends, 0 if there is none."""
    if not (match["open"] and match["sep"]):
        return 0
    is_phrase = cue in ("passphrase", "mnemonic", "seed")
    if not is_phrase and (cues.kind_of(cue) != "password" or cue in words.LOOSE):
        return 0
    spaced = values.compiled(_SPACED).match(text, match.end())
    if spaced is None:
        return 0
    spoken = not phrases.NO_SEED_WORDS.isdisjoint(spaced.group().split())
    return 0 if spoken and not is_phrase else spaced.end()


def _opens_line(text: str, start: int) -> bool:
    """A name with its value in the next column, or on the next line, stands alone."""
    before = text[max(0, start - _NAME_CHARS_MAX) : start].rstrip(" \t>*-#|")
    return before == "" or before.endswith("\n")


def _whole_name(text: str, start: int, match: "re.Match[str]") -> str:
    left = start
    floor = max(0, start - _NAME_CHARS_MAX)
    while left > floor and (text[left - 1].isalnum() or text[left - 1] in _NAME_SIGNS):
        left -= 1
    return text[left : match.start("close")]


def _full_end(text: str, value: "re.Match[str]", match: "re.Match[str]", name: str) -> int:
    """Values in quotes end there; others at white space, or where a list goes on."""
    end = value.end()
    if match["open"].endswith("["):
        return end
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
    is_name = name.replace("::", ".").replace("->", ".").replace(".", "_").isidentifier()
    is_name = is_name and ("." in name or not values.is_random(name))
    return is_name and (at > 0 or text[end : end + 1] in ("(", "["))
