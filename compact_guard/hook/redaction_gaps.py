"""Whether what stands between a word that announces a secret and a value lets it announce it."""

from functools import lru_cache  # `re` has imported it anyway

from compact_guard.hook import redaction_candidates as candidates
from compact_guard.hook import redaction_values as values
from compact_guard.hook import redaction_words as words

_SIGNS_MIN = 2
_CLOSE_CHARS = 16
_NUMBER_CHARS = 48
_QUESTIONS = ("? ", "？")  # "can you enter the key? 4f2a…"
_LINE_MARKS = (":", "：", "```", "=", "-", "—", "→", "\\", "|")
_LINKS = (":", "=", "：", "→", "->", "—", "–", "|", "┃", "│")
_POINTERS = ("(", "#", "//", "<-", "<=", "←", "⇐", "--", "—", "–", "- ")
_DECLARATIONS = ('") string ', "') string ", '") final string ')
_OF_CHARS_MAX = 32
_TURNS_MAX = 3
_ASKED_FOR = frozenset((
    "commit", "sha", "hash", "digest", "checksum", "uuid", "id", "request", "trace", "revision",
    "fingerprint", "etag", "коммит", "хеш", "提交",
))  # fmt: skip
# `[10:03] `, `ann: `, `**User:** `, and an opening quote.
_SPEAKER = (
    r"(?:> ?)?(?:[\[(][^\])\n]{1,24}[\])] ?|[0-9:]{4,8} )?"
    r"[*_]{0,2}[^\s:：>*_]{1,24}[*_]{0,2} ?[:：>][*_]{0,2}[ \t]{0,2}[\"'`]?"
)
_REQUESTS = (
    "what", "which", "was ist", "welche", "quel", "cuál", "qual", "какой", "який", "什么", "何",
    "뭐", "?", "？", "need", "provide", "paste", "send", "give", "share", "enter", "value",
    "please", "bitte", "brauch", "schick", "besoin",
    "envoie", "donne", "necesit", "pásame", "manda",
    "precis", "serve", "potrzeb", "nodig", "нужен", "нужн", "пришли", "скинь", "потріб", "надішл",
    "需要", "请", "發", "发", "ください", "必要", "教えて", "주세요", "필요", "알려",
)  # fmt: skip
_FOR = ("for", "as", "für", "als", "pour", "para", "per", "för", "for the", "voor", "til")
_OF = frozenset((
    "of", "for", "to", "on", "du", "de", "des", "der", "für", "zum", "van", "voor", "för", "til",
    "till", "do", "da", "del", "della", "per", "к", "для", "от",
))  # fmt: skip
_NO_SECRETS = words.ABOUT | words.ABOUT_BEHIND | {"protected", "generator", "strength", "storage"}
_DOUBTFUL = frozenset(("login", "logon", "pass", "code", "secret"))


def announces_line(gap: str) -> bool:
    """`the key is`, and the value on the next line, perhaps of a quoted mail."""
    head, newline, tail = gap.partition("\n")
    last = head.split()[-1:]
    is_open = bool(last) and last[0] in words.CONNECTORS
    rest = head.strip(" \"')]")  # a debugger's question, and its answer
    is_named = not rest or (head[0] in "_-." and rest.replace("_", "").replace(".", "").isalnum())
    return bool(newline) and not tail.strip(" \t>=\n\"'") and (is_open or is_named)


def is_asked_for(gap: str, before: str) -> bool:
    """`… needs API_TOKEN`, `Bot: please give me the value`, and the next turn is nothing else.

    `before`: the line that the cue ends, up to its end.
    """
    _, *turns = gap.split("\n")
    said_by = [values.compiled(_SPEAKER).match(turn) for turn in turns]
    if not turns or len(turns) > _TURNS_MAX or not all(said_by):
        return False
    is_silent = said_by[-1] is not None and said_by[-1].end() == len(turns[-1])
    is_about = not words.HARMLESS_BEFORE.isdisjoint(gap.replace("?", " ").split())
    return is_silent and not is_about and any(map((before + gap).__contains__, _REQUESTS))


def is_about_harmless(before: str) -> bool:
    """`which commit broke the token`: what is asked for is no secret."""
    return not _ASKED_FOR.isdisjoint(before.rpartition("\n")[2].split())


def begins_another(gap: str) -> bool:
    """`API_KEY=… BASE=`: what was announced was told, and another name follows."""
    _, mask, tail = gap.rpartition(values.MASK)
    name = tail.rstrip(" \"'`\\").rstrip("=:").rstrip(" \"'`\\")
    return bool(mask) and name != tail and name[-1:].isalnum() and name.split()[-1:] != ["and"]


def is_for_a_name(gap: str) -> bool:
    """`use … for DB_PASSWORD`: what stands between a value and the end of a name in capitals."""
    link, _, name = gap.lstrip("\"'`*").strip(" `").rpartition(" ")
    return link.strip("`") in _FOR and "_" in name and name.strip("`").isupper()


def is_of(gap: str) -> bool:
    """`the passphrase of that ssh key`: what a password is for, in front of which it is named."""
    head = gap.split()[:1]
    return gap[:1] == " " and bool(head) and head[0] in _OF and len(gap) <= _OF_CHARS_MAX


def is_labelled_harmless(lowered: str, start: int, end: int, level: int) -> bool:
    """`sha1 4f2a…`, `"etag": "4f2a…"`, `4f2a…: public key`: a word beside it says what it is."""
    before = lowered[max(0, start - 24) : start].translate(_NO_QUOTES).split()
    label = before[-1].strip("*:,.=@").partition("/")[0] if before else ""
    if label in words.HARMLESS_BEFORE and (label != "error" or level != candidates.SURELY):
        return True
    return lowered.startswith((": public", " public", "/public", ".pub"), end)


def changes_line(gap: str) -> bool:
    """A value may stand on the next line if the line before it ends so as to announce it."""
    head, newline, tail = gap.partition("\n")
    if not newline:
        return False
    tail = tail.strip(" \t>`\"'*-|│┃\n")
    if tail.rstrip(":").isalnum() and len(tail) < 8:  # the language of a fence, an encoding
        tail = ""
    return bool(tail) or (not head.rstrip().endswith(_LINE_MARKS) and "key" not in head)


@lru_cache(maxsize=256)  # hostile texts repeat themselves
def fits(token: str, cue: str, gap: str, level: int, following: str) -> bool:
    """Whether what stands between a cue and a value is little enough for what they are."""
    between = gap.translate(_NO_QUOTES).split()
    harmless = [word for word in between if word.strip("*:,.=#") in words.HARMLESS_BEFORE]
    if values.is_hex(token) or values.is_uuid(token):
        is_id = values.is_uuid(token) and gap.startswith(("_id", "-id", "id"))
        return not (harmless or is_id) and _may_be_number(cue, gap, between)
    is_key_id = cue == "key" and bool(between) and between[-1].strip(":=,") == "id"
    is_call = following == "(" and token.replace(".", "_").isidentifier()
    last = 1 if gap.endswith(": ") and _is_password(cue) else 2  # `pw for the build box: …`
    if is_key_id or is_call or any(word in harmless for word in between[-last:]):
        return False
    if level == candidates.SURELY:
        return cue not in words.LOOSE or len(gap) <= 40 or values.is_random(token, 20)
    if any(mark in gap for mark in _QUESTIONS) and not _is_own_answer(cue, gap):
        return False
    if level == candidates.MADE_UP:
        is_path = gap.endswith("/") and not values.has_digit(token)
        return following not in (":", "=") and not is_path and _fits_made_up(cue, gap, between)
    is_short = len(gap) <= _CLOSE_CHARS and not values.is_hex(token, 6)
    is_short &= not between or between[0] not in _NO_SECRETS  # `password manager …`
    is_close = is_short and cue not in words.LOOSE and _is_password(cue)
    return (is_close or _is_linked(gap, between)) and may_be(token, cue)


def _is_own_answer(cue: str, gap: str) -> bool:
    """`the password? …`, by whom it is asked."""
    return _is_password(cue) and gap.strip(" \"'`*—–-:") in ("?", "？")


def _fits_made_up(cue: str, gap: str, between: list[str]) -> bool:
    """What a person makes up looks like a name: only what is said to be a password is one."""
    if cue == "pass" and gap.strip() in (":", "="):
        return True
    if cue == "login":  # login with ann:…
        return gap[-2:-1].isalnum() and gap[-1:] == ":"
    return _is_password(cue) and cue not in _DOUBTFUL and _is_linked(gap, between)


def _may_be_number(cue: str, gap: str, between: list[str]) -> bool:
    """A hexadecimal number or a UUID is as often an id: what announces it decides."""
    if cue in words.ABOUT_IDS:
        return False
    is_near = len(gap) <= _NUMBER_CHARS and "," not in gap
    return is_near or cue not in words.LOOSE or _is_linked(gap, between)


_NO_QUOTES = str.maketrans("([]`\"'„“«", "         ")


def begins_clause(gap: str) -> bool:
    """`…, that's the password`: what follows is less close than without the comma."""
    return gap.lstrip("\"'`*)]」）")[:1] == ","


def leads_to_cue(gap: str) -> bool:
    """`… is our password`, `… as the token`."""
    between = gap.strip("\"'`*)]」）, ").split(" ")
    if begins_clause(gap):
        return between[0] in words.POINTING
    return between[0] in words.CONNECTORS or not words.AS.isdisjoint(between)


def points_to_cue(gap: str) -> bool:
    """`… # the api key`, `… (root password)`, `"…") String token`."""
    head = gap.lstrip("\"'`*」） ")
    is_quoted = gap[:1] in "\"'`" and head.split(" ")[0] in _FOR
    return is_quoted or head.startswith(_POINTERS) or gap.startswith(_DECLARATIONS)


def ends_a_remark(window: str, end: int) -> bool:
    """Nothing more is said behind the cue: `(password protected)` is about something else."""
    return window[end : end + 1] in ("", "\n", ")", ".", ",", ";", ":", "!", "*", "`", '"')


def _is_linked(gap: str, between: list[str]) -> bool:
    if gap.endswith("/"):  # ann/…
        between = between[:-1]
    if between and between[-1].startswith("--"):  # an option: --body, --value
        return True
    if (
        len(gap) <= 3
        or _is_typed_in(gap)
        or (bool(between) and between[-1].strip("*") in words.CONNECTORS)
    ):
        return True
    if len(gap) <= _CLOSE_CHARS and (not between or not between[-1].isascii()):
        return True
    if not gap.isascii() and gap.rstrip(" 「“\"'«").endswith(words.UNSPACED_CONNECTORS):
        return True
    return gap.rstrip(" *\"'`「“«[\n").endswith(_LINKS)


def _is_typed_in(gap: str) -> bool:
    """`get('#password').type('…')`: a test that fills in a form."""
    return gap.endswith(("('", '("', "(`")) and gap.startswith(("'", '"', "`", "]", ")"))


def may_be(token: str, cue: str) -> bool:
    """Whether a word that is neither random nor harmless may be this cue's value."""
    if values.is_uuid(token) or values.is_hex(token):
        return cue not in words.ABOUT_IDS
    if _is_password(cue):
        return True
    if not values.has_digit(token):
        return values.is_random(token, 12, digits=False)
    if values.is_random(token, 10):
        return True
    is_rich = values.is_mixed(token) or values.count_signs(token) > _SIGNS_MIN
    return is_rich and values.is_password(token)


def _is_password(cue: str) -> bool:
    return any(part in cue for part in words.PASSWORDS)
