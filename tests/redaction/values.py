"""Made-up secrets from shapes such as `ghp_{b62:36}`: random from a seed, none of them real."""

import base64
import random
import re
import string
import uuid

_LOWER, _UPPER, _DIGITS = string.ascii_lowercase, string.ascii_uppercase, string.digits
ALPHABETS = {
    "hex": "0123456789abcdef",
    "HEX": "0123456789ABCDEF",
    "b62": _LOWER + _UPPER + _DIGITS,
    "b64": _LOWER + _UPPER + _DIGITS + "+/",
    "url": _LOWER + _UPPER + _DIGITS + "_-",
    "up": _UPPER + _DIGITS,
    "low": _LOWER + _DIGITS,
    "b32": _UPPER + "234567",
    "b58": "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
    "bech": "qpzry9x8gf2tvdw0s3jn54khce6mua7l",
    "dig": _DIGITS,
    "sign": _LOWER + _UPPER + _DIGITS + "!#%^*_-+~.",
}
ENCODED = {  # base64 of these
    "userpass": "svc:{b62:20}",
    "pem64": "-----BEGIN PRIVATE KEY-----\n{b64:64}\n{b64:64}\n-----END PRIVATE KEY-----\n",
    "token64": "token is ghp_{b62:36} for now",
    "docker64": '{"auths":{"r.example.com":{"username":"ci","password":"{pw}"}}}',
    "nulpass": "\0ann\0{b62:16}",
    "hello64": "hello {phrase} world",
}
_WORDS = (
    "amber", "basket", "candle", "dolphin", "ember", "falcon", "garnet", "harbor", "island",
    "jacket", "kettle", "lemon", "marble", "needle", "oyster", "pepper", "quartz", "ribbon",
    "saddle", "timber", "umbrella", "velvet", "walnut", "yellow", "zipper",
)  # fmt: skip
_FIELD = re.compile(r"\{(\w+)(?::(\d+))?\}")


def made(shape: str, chance: random.Random) -> str:
    """A value of a shape; `{pw}` is what a person makes up, `{phrase}` words and a number."""
    return _FIELD.sub(lambda field: _field(field[1], int(field[2] or 0), chance), shape)


def _field(name: str, length: int, chance: random.Random) -> str:
    if name in ALPHABETS:
        return _letters(name, length, chance)
    words = chance.sample(_WORDS, 3)
    number = chance.randrange(1000, 9999)
    match name:
        case "pw":
            return f"{words[0].title()}{chance.choice('!$%*_.#@')}{number}{words[1]}"
        case "phrase":
            return "-".join([*words, str(number)])
        case "uuid":
            return str(uuid.UUID(int=chance.getrandbits(128), version=4))
    if name in ENCODED:
        return base64.b64encode(made(ENCODED[name], chance).encode()).decode()
    return f"{{{name}}}"  # braces of the text itself, as in `Bearer {token}`


def _letters(name: str, length: int, chance: random.Random) -> str:
    letters = chance.choices(ALPHABETS[name], k=length)
    # A real generator's output without a digit is rare; a test must not hang on such luck.
    if length >= 12 and name != "dig" and not any(letter.isdigit() for letter in letters):
        letters[length // 2] = chance.choice("234567" if name == "b32" else "23456789")
    return "".join(letters)
