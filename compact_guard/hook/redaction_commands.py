"""Secrets on command lines and in what commands print: options, arguments, a tool's answer."""

from compact_guard.hook import redaction_candidates as candidates
from compact_guard.hook import redaction_passwords as passwords
from compact_guard.hook import redaction_placeholders as placeholders
from compact_guard.hook import redaction_values as values
from compact_guard.hook.redaction_anchors import matches_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from compact_guard.hook.redaction import Span
    from compact_guard.hook.redaction_anchors import Anchors

_VALUE = r"['\"]?(?!\$|-)([^\s'\"]{4,512})"
_OPTION = (
    r"--[a-z\-]{0,24}?(?:password|passwd|passphrase|pass|token|secret|api-?key|access-?key)"
    r"(?:[ \t]{1,3}|=)['\"]?(?![a-z_\-]{1,40}(?:[\s,.:;)'\"]|$)|-)([^\s'\"]{4,512})"
)
_LONG = r"(?:(?<![a-z0-9])-pass|storepass|keypass)(?:word|wd|in|out)?[ =](?:pass:)?" + _VALUE
_USER = (
    r"(?<![\w\-])(?:-[a-z]{0,3}u|-a|--user|--proxy-user|--creds)[ =]{0,2}['\"]?"
    r"(?![0-9]{1,10}:[0-9]{1,10}(?:\s|$))"
    r"[^\s:'\"/]{1,64}:([^\s'\"]{3,256})"
)
_USER_IS_KEY = (
    r"(?<![\w\-])(?:-[a-z]{0,3}u|--user)[ =]{0,2}['\"]?([a-z0-9_\-]{20,256}):['\"]?(?!\S)"
)
_USER_AND_PASSWORD = (
    r" -u ?[^\s\-]{1,64}[^\n|;{}]{0,120}? -p[ =]?(?![0-9]{1,5}(?:[\s:]|$))" + _VALUE
)
_PASSPHRASE = (
    r"(?:--passphrase[ =]|ssh-keygen[^\n|;{}]{0,80}? -[np] )['\"]?"
    r"([a-z]{3,16}(?:-[a-z]{3,16}){2,9}|[^\s'\"\-][^\s'\"]{5,128}(?=['\"]))"
)
# Tools by the letter of their option; `mysql -p` without a value asks for it.
_GLUED = r"(?:mysql|mariadb|7z|sshpass)[a-z]{0,8}(?: [^\n|;{}]{0,120}?)? -p['\"]?" + _VALUE[5:]
_APART = {
    "p": (
        " login", "sshpass", "sqlcmd", "mongo", "cqlsh", "twine", "zip ", "ipmitool", "mosquitto",
        "isql", "bcp ", "osql", "evil-winrm", "crackmapexec", "nxc ", "sendemail", "rabbitmqadmin",
        "influx", "clickhouse", "conan ", "kinit", "keychain", "security import", "altool",
        "signurl", "psexec", "rcon",
    ),
    "w": ("ldap", "vncviewer"),
    "a": ("redis-cli", "valkey-cli"),
    "c": ("snmpwalk", "snmpget", "snmpset", "snmpbulk", "snmptrap"),
    "k": ("nuget push", "gem push", "openssl enc"),
    "xp": ("sendemail",),
}  # fmt: skip
_BEHIND_TOOL = (
    r"(?!-)[^\n|;{}]{0,160}? -%s[ =]?"
    r"(?!ass(?:word|wd|in|out|phrase)?[ =]|[0-9]{1,5}(?:[\s:]|$))" + _VALUE
)
# Net-SNMP's options name an algorithm with one letter, and the password with its capital.
_SNMP = r"snmp[^\n|;{}]{0,160}? -%s[ =]?(?!(?:md5|sha|des|3des|aes)[0-9\-]{0,6}[\s'\"])" + _VALUE
_PERCENT = r"(?:smb|winexe|rpcclient)[^\n|;{}]{0,120}? -u ?['\"]?[\w.\\/\-]{1,64}%([^\s'\"]{4,128})"
_ORACLE = (
    r"(?:sqlplus|sqlldr|expdp|impdp|rman target|connect|exp|imp)(?: -[a-z]{1,4}){0,2} ['\"]?"
    r"[a-z0-9_$]{1,30}/([^\s@/'\"]{4,64})@"
)
_SLASHED = r"/p(?:ass(?:word)?)?:['\"]?([^\s'\"]{4,128})"
_ARGUMENT = (
    r"(?:add-authtoken|authtoken|cargo login|vault login|unseal|authorize-account [^\s]{6,64}"
    r"|(?:add_user|change_password|net user|net\.exe user|/user:) ?[\w.\\\-]{1,64}"
    r"|smbclient //[^\s]{1,80}|lftp -u [\w.@\-]{1,64},"
    r"|htpasswd -[a-z]{1,6} [^\s]{1,128} [\w.\-]{1,64}|http-basic\.[\w.\-]{1,80} [\w.\-@]{1,64}"
    r"|config set --secret [\w.:\-]{1,64}|pypi-token\.[\w\-]{1,40}"
    r"|configure set [\w.]{0,40}(?:secret|token)[\w]{0,20}"
    r"|wpa_passphrase ['\"]?[\w.\-]{1,32}['\"]?|nmcli[^\n|;{}]{0,100}? password"
    r"|net use (?:[a-z]:|\*) \\\\{1,4}[^\s]{1,128}(?! /)"
    r"|mc (?:alias set|config host add)(?: [^\s]{1,128}){3})(?:(?<=,)| )" + _VALUE
)
_PIPED = (
    r"(?:echo|printf|yes)[ \t]{1,2}(?:-n |['\"]?%s['\"]? )?['\"]?([^\s'\"|]{8,512})['\"]?[ \t]{0,2}"
    r"[|>][^\n\"{}]{0,80}?"
    r"(?:secret|password|passwd|token|login|key|auth|sudo -s|crypt|luks|gpg|kinit|ssh-add|unlock"
    r"|zip|openssl)"
)
_CHPASSWD = (
    r"(?:echo|printf)[ \t]{1,2}['\"]?[\w.\-]{1,64}:([^\s'\"|]{4,256})['\"]?[ \t]{0,2}"
    r"\|[^\n\"{}]{0,24}chpasswd"
)
_DIRECTIVE = (
    r"(?:requirepass|masterauth|enable secret|enable password|(?:server|snmp) community"
    r"|community string(?: is)?|pre-shared-key|tacacs-server key|radius-server key|auth_pass)"
    r"(?: [0-9](?= ))?[ \t]{1,8}" + _VALUE
)
_IDENTIFIED = (
    r"(?:identified (?:with ['\"]?[a-z0-9_]{1,40}['\"]? )?(?:by|as)(?: password)?"
    r"|(?:with|encrypted) password(?: =)?|password\() ?n?['\"]([^'\"\n]{4,128})['\"]"
)
_ADDRESS_LOGIN = r"login ['\"]?[\w.+\-]{1,64}@[\w.\-]{1,80}['\"]? ['\"]([^\s'\"]{6,128})['\"]"
_TYPED = (
    r"send(?:input|raw|text|event)?,? {0,2}(?:\{(?:raw|text)\})?([^\s{}]{6,64})\{(?:enter|tab)\}"
)
_SEND = r"send (?:-- )?['\"]([^\s'\"\\]{4,128})(?:\\[rn]|\r|\n)['\"]"
_SECURE_STRING = r"securestring (?:-string )?['\"]([^'\"\n]{4,256})['\"]"
_FTP = r"pass ([^\s'\"]{6,128})[ \t]{0,4}\r?(?:\n|$)"
_PRINTING = (
    "op read", "op item get", "pass show", "vault kv get", "vault read", "generic-password",
    "internet-password", "bw get", "lpass show", "secret-tool lookup", "get-secret-value",
    "versions access", "print-access-token", "print-identity-token", "config:get", "jsonpath=",
    "openssl rand", "pwgen", "gh auth token", "create token", "get-access-token", "secret show",
    "chamber read", "secrets get", "mkpasswd", "base64 -d", "base64 --decode", "password for the [",
    "initial-password",
    "/dev/urandom",
)  # fmt: skip
_PRINTED = r"[^\n]{0,240}\r?\n[ \t]{0,4}(?:new value: )?([^\s]{6,4096})[ \t]{0,4}\r?(?:\n|$)"
_ELSEWHERE = (
    "{", "<", "--", "|", "env:", "@env:", "fd:", "@keychain:", "stdin", "public", "private",
)  # fmt: skip
_CHARS_MIN = 4
ANY, ODD = 0, 1  # how little is believed: anything; what no word and no name looks like
# (strings at which it begins, pattern on the text in lower case, what is believed)
RULES = (
    (("-u", "-su", "-ku", "-sku", "--user", "--proxy-user", "-a ", "--creds"), _USER, ANY),
    (("-u", "-su", "--user"), _USER_IS_KEY, ODD),
    ((" -u",), _USER_AND_PASSWORD, ODD),
    (("rar ",), r"rar [^\n|;{}]{0,80}? -h?p['\"]?" + _VALUE[5:], ANY),
    (("--",), _OPTION, ANY),
    (("-key",), r"-key(?:[ \t]{1,3}|=)" + _VALUE, ODD),
    (("-pass", "storepass", "keypass"), _LONG, ANY),
    (("mysql", "mariadb", "7z", "sshpass"), _GLUED, ANY),
    (("--passphrase", "ssh-keygen"), _PASSPHRASE, ANY),
    *((tools, _BEHIND_TOOL % letter, ANY) for letter, tools in _APART.items()),
    *((("snmp",), _SNMP % letter, ODD) for letter in "ax"),
    (("smb", "winexe", "rpcclient"), _PERCENT, ANY),
)
# The same for lines without options.
PLAIN_RULES = (
    (("sqlplus", "sqlldr", "expdp", "impdp", "rman target", "connect ", "exp ", "imp "), _ORACLE,
     ANY),
    (("/p:", "/pass:", "/password:"), _SLASHED, ANY),
    (("authtoken", "cargo login", "vault login", "unseal", "authorize-account", "add_user",
      "smbclient //", "lftp -u ", "net use", "/user:", "change_password", "htpasswd -",
      "http-basic.", "config set --secret", "pypi-token.",
      "configure set ", "wpa_passphrase", "nmcli", "mc alias set", "mc config host"),
     _ARGUMENT, ODD),
    (("echo ", "printf ", "yes "), _PIPED, ODD),
    (("echo ", "printf "), _CHPASSWD, ANY),
    (("requirepass", "masterauth", "enable secret", "enable password", "server community",
      "snmp community", "community string", "pre-shared-key", "tacacs-server key",
      "radius-server key", "auth_pass"),
     _DIRECTIVE, ODD),
    (("identified ", "with password", "encrypted password", "password("), _IDENTIFIED, ODD),
    (("stats auth ",), r"stats auth [^\s:]{1,64}:([^\s'\"]{4,256})", ANY),
    (("login ",), _ADDRESS_LOGIN, ODD),
    (("securestring ",), _SECURE_STRING, ANY),
    (("send ",), _SEND, ODD),
    (("send,", "send ", "sendinput", "sendraw", "sendtext"), _TYPED, ODD),
    (("pass ",), _FTP, ODD),
    (("auth plain ", "auth login "), r"auth (?:plain|login) ([a-z0-9+/]{8,512}={0,2})(?!\S)", ODD),
    (_PRINTING, _PRINTED, ODD),
)  # fmt: skip
_READERS = (
    "sudo -",
    "pass",
    "pw",
    "secret",
    "token",
    "key",
    "login",
    "auth",
    "luks",
    "cred",
    "kinit",
    "vpn",
)
_LINE_CHARS_MAX = 200
_DRIVERS = ("@tcp(", "@unix(")
_HERE_STRING = ("<<<",)
# Without one of its anchors nothing is found.
TABLE = (*RULES, *PLAIN_RULES, (_HERE_STRING,), (_DRIVERS,))
_DRIVER_CHARS_MAX = 256


def spans_in(text: str, lowered: str, present: "Anchors") -> "Iterator[Span]":
    """Secrets as `(start, end, kind)`."""
    for rules in (RULES, PLAIN_RULES) if " -" in text else (PLAIN_RULES,):
        for anchors, pattern, belief in present.rules(rules):
            for match in matches_at(lowered, anchors, pattern):
                start, end = match.span(1)
                if is_secret(text[start:end], belief):
                    yield start, end, "password"
    if "<<<" in text:
        yield from _here_strings(text, lowered)
    for driver in present.words(_DRIVERS):
        yield from _in_front_of(text, driver)


def is_secret(value: str, belief: int) -> bool:
    """True if what stands in a secret's place is none of what else may stand there."""
    if values.MASK in value:  # a part went already: is the rest more than its margin?
        value, belief = value.replace(values.MASK, ""), ODD
    if len(value) < _CHARS_MIN or value.startswith(_ELSEWHERE):
        return False
    if value[0] == "%" and (value[-1] == "%" or not values.is_strong_password(value)):
        return False  # a variable's name
    if value[0] == "-" and not values.is_strong_password(value) and not values.is_random(value, 12):
        return False  # the next option
    if placeholders.is_placeholder(value) or _is_next(value):
        return False
    if belief == ANY:
        return not value.startswith(("/", "./", "~/", "$")) or values.is_random(value)
    return passwords.is_odd(value) or candidates.is_words(value)


def _is_next(value: str) -> bool:
    """`/user:ann /pass:…`, `-Password (Read-Host)`: another option, or a call."""
    return (value[0] == "/" and ":" in value) or (
        value[0] == "(" and value[1:].replace("-", "").isalpha()
    )


def _in_front_of(text: str, driver: str) -> "Iterator[Span]":
    """`user:password@tcp(host)`: Go's form of a connection."""
    position = 0
    while (at := text.find(driver, position)) >= 0:
        position = at + len(driver)
        before = text[max(0, at - _DRIVER_CHARS_MAX) : at]
        # `translate` is slow on other alphabets.
        words = before.replace('"', " ").replace("'", " ").replace("`", " ").split()
        user, colon, password = words[-1].partition(":") if words else ("", "", "")
        if colon and user and len(password) > 2 and not placeholders.is_placeholder(password):
            yield at - len(password), at, "password"


def _here_strings(text: str, lowered: str) -> "Iterator[Span]":
    """`sudo -S true <<< "…"`: what a command reads that is about a secret."""
    position = 0
    while (at := lowered.find("<<<", position)) >= 0:
        position = at + 3
        before = lowered[max(0, at - _LINE_CHARS_MAX) : at].rpartition("\n")[2]
        if any(word in before for word in _READERS):
            match = values.compiled(r" ?['\"]?" + _VALUE[5:]).match(text, position)
            if match and is_secret(match[1], ODD):
                yield match.start(1), match.end(1), "password"
