"""What people and generators make up as passwords: believed only where one is announced."""

from compact_guard.hook import redaction_values as values

_VOWELS = frozenset("aeiouyAEIOUY")
_DIGITS_MAX = 12
_CONSONANTS_MAX = 3  # in a row, in words and names
_VOWELS_MIN = 0.26  # of the letters; a third and more in most languages
_LINE_NOISE_CHARS_MIN = 20
_DOTTED_CHARS_MIN = 10
_SALT_SIGNS_MIN = 10
_WILD, _WILD_CHARS_MIN = frozenset("!#$%^&*;?@~+|]"), 10
_CODE_SIGNS = ("://", "?.", "->", "&&", "||", "::", "${", "()", "=>", "%s", "@example")
_PARAMETER = "&[A-Za-z_]{2,24}="  # the next one of a query
_SIGNS = frozenset("!@#$%^&*(=+)")
LINE_NOISE = _SIGNS | frozenset(f"{values.ALPHANUMERIC}-_")
_NO_PASSWORDS = (
    r"(?:sha|md|aes|rsa|utf|rfc|base|ed|x|argon|bcrypt|pbkdf|http|tls|ssl|v)-?[0-9]{1,5}"
)
_CAMEL_CASE = r"[A-Z]?[a-z]{2,24}(?:[A-Z][a-z]{2,24}){1,6}"
_WORDS_AND_NUMBERS = (
    r"[a-z]{0,24}+(?:[A-Z][a-z]{1,24}+|[A-Z]{2,8}(?![a-z])|[A-Z]{1,7}(?=[A-Z][a-z])"
    r"|[0-9]{1,12}+(?:[A-Z](?![A-Za-z])|[a-z]{0,12}+)|[\-_.:@/]){0,40}+"
)
_WORD_AND_NAME = r"[A-Z][a-z]{2,15}\.[a-z]{3,15}[0-9]{4}"  # `Saddle.orbit6670`, but no `Math.log10`
_WORD_AND_NUMBER = r"[a-z]{3,16}[_.\-]?[0-9]{3,6}[!?*#$.]{0,2}|[a-z]{4,16}[0-9]{2,6}[a-z]{4,16}"
_OTHER_WORD = r"[а-яёіїєґα-ωά-ώ]{3,16}[_.\-!?*#$@]{0,2}[0-9]{2,8}[!?*#$.]{0,2}"
_NO_WORDS = ("base", "utf", "sha", "python", "win", "oauth", "web", "argon")  # `base64url`


def may_be_password(value: str) -> bool:
    """True if an announced value may be one, though it looks like a word, a name or a number."""
    if len(value) < 6 or values.has_id_prefix(value) or values.is_uuid(value):
        return False
    if value.isdigit():
        return len(value) <= _DIGITS_MAX
    if value.isascii() and value.isalpha():
        return is_scrambled(value)
    return (
        is_made_up(value)
        or values.is_password(value)
        or _is_mixture(value)
        or is_irregular(value)
        or is_dotted_noise(value)
    )


def _is_mixture(value: str) -> bool:
    """`lantern6957`, `qoqwyk9msv`, `abc&Xyzdef=`: words, digits and signs."""
    lowered = value.lower()
    if len(value) < 8 or values.compiled(_NO_PASSWORDS).match(lowered):
        return False
    if values.compiled(_WORD_AND_NUMBER).fullmatch(lowered) and not lowered.startswith(_NO_WORDS):
        return True
    if _is_scrambled_with_signs(value):
        return True
    if not value.isascii() and values.compiled(_OTHER_WORD).fullmatch(lowered):
        return True
    if values.has_sign(value[1:-1]) and values.has_inner_capital(value):
        return len(value) > 9 and "." not in value
    is_inner = values.has_digit(value[1:-1]) or values.has_inner_capital(value)
    return value.isalnum() and values.has_digit(value) and is_inner and is_hard(value)


def _is_scrambled_with_signs(value: str) -> bool:
    """`WJnv*JIYW`: no number in it, but signs between letters in no order."""
    letters = "".join(letter for letter in value if letter.isalpha())
    is_signed = not values.has_digit(value) and values.count_signs(value[1:-1]) > 0
    return is_signed and value.isascii() and is_scrambled(letters)


def is_irregular(value: str) -> bool:
    """Small letters, capitals and digits in no order that words and numbers have: `BdeCoiX6bF`."""
    if len(value) < 8 or not values.is_mixed(value):
        return False
    if values.compiled(_WORDS_AND_NUMBERS).fullmatch(value) is None:
        return True
    return values.count_runs(value) * 2 >= len(value)


def is_made_up(value: str) -> bool:
    """`Desert_GLAC62`, `mango-saddle-41`: names look so, and passwords, too."""
    if len(value) < 7 or value.islower() or values.has_id_prefix(value) or values.is_uuid(value):
        return values.is_phrase(value)
    digits = sum(letter.isdigit() for letter in value)
    plain = value.replace("-", "").replace("_", "").strip("!?#$*@.")
    return digits > 1 and plain.isalnum() and value != value.lower() and value != value.upper()


def is_scrambled(value: str) -> bool:
    """Letters alone, that no word and no camelCase name has in this order: `efcPryMCnGgm`."""
    if len(value) < 8 or not values.has_inner_capital(value):
        return False
    return is_hard(value) and values.compiled(_CAMEL_CASE).fullmatch(value) is None


def is_hard(value: str) -> bool:
    """True if it is hard to pronounce: few vowels, or many consonants in a row."""
    row = longest = vowels = letters = 0
    for letter in value:
        if not letter.isalpha():
            row = 0
            continue
        letters += 1
        if letter in _VOWELS:
            vowels += 1
            row = 0
        else:
            row += 1
            longest = max(longest, row)
    return longest > _CONSONANTS_MAX or vowels < letters * _VOWELS_MIN


def is_odd(value: str) -> bool:
    """True if it is no plain word, file, option or number: what stands where a secret belongs."""
    if values.is_harmless(value):
        return may_be_password(value) or values.is_uuid(value)
    return values.has_digit(value) or values.has_sign(value) or values.has_inner_capital(value)


def is_line_noise(value: str) -> bool:
    """`4z+#ug43jdq)l9tdysgnbl*f1`: signs all over, as Django's keys have, and brackets unpaired."""
    if len(value) < _LINE_NOISE_CHARS_MIN or not LINE_NOISE.issuperset(value):
        return False
    if values.compiled(_PARAMETER).search(value):
        return False
    signs = [letter for letter in value if letter in _SIGNS]
    digits = sum(letter.isdigit() for letter in value)
    return len(signs) >= 4 and len(set(signs)) >= 3 and digits >= 2


def is_dotted_noise(value: str) -> bool:
    """`UrZn1s.ZnfrOn`: a generator's, for nobody changes case and number so often in a name."""
    letters = value.replace(".", "", 1)
    if len(letters) < _DOTTED_CHARS_MIN or not letters.isalnum() or letters == value:
        return False
    return values.is_mixed(letters) and values.count_runs(letters) * 2 >= len(letters)


def is_wild(value: str) -> bool:
    """`U;vM]Pkzh)G4^Rdgc`: what a generator makes that may use every sign."""
    signs = {letter for letter in value if not letter.isalnum()}
    is_rich = len(value) >= _WILD_CHARS_MIN and not _WILD.isdisjoint(signs)
    is_code = value[0] in "$/(" or any(map(value.__contains__, _CODE_SIGNS))
    return is_rich and values.is_mixed(value) and not is_code


def is_salt(value: str) -> bool:
    """`/TaCj9Ed mnu;fI,H>ML;~Y#(…`: every sign a keyboard has, blanks included."""
    signs = {letter for letter in value if not letter.isalnum()}
    return len(signs) >= _SALT_SIGNS_MIN and values.is_mixed(value) and value.count(" ") <= 6


def is_member(value: str) -> bool:
    """`specs_1.Details.PKCS1_RSA_V15`: names in code, joined by dots."""
    parts = value.split(".")
    if values.compiled(_WORD_AND_NAME).fullmatch(value):
        return False
    if len(parts) == 1 or not all(part.isidentifier() for part in parts):
        return False
    if is_dotted_noise(value):
        return False
    return not any(
        is_irregular(part) or (part.islower() and values.is_random(part, 16)) for part in parts
    )
