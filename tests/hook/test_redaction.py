"""Secrets go, harmless ids stay."""

import random
import string

import pytest

from compact_guard.hook import redaction

CHANCE = random.Random(20261130)
ALPHANUMERIC = string.ascii_letters + string.digits


def made(prefix: str, length: int, alphabet: str = ALPHANUMERIC) -> str:
    """A token of a vendor's shape, never a real one; always with a digit and a capital."""
    return prefix + "A7" + "".join(CHANCE.choices(alphabet, k=length - 2))


VENDOR_TOKENS = [
    made(prefix, length)
    for prefix, length in (
        ("sk-ant-api03-", 90), ("sk-proj-", 80), ("sk-", 48), ("ghp_", 36), ("github_pat_", 80),
        ("glpat-", 20), ("xoxb-", 40), ("sk_live_", 24), ("AIza", 35), ("npm_", 36), ("pypi-", 90),
        ("hf_", 34), ("SG.", 66), ("hvs.", 90), ("dop_v1_", 64), ("GOCSPX-", 28),
    )
] + ["AKIA" + "Q7" * 8, "6491097946:AA" + "eq7V" * 8 + "a"]  # fmt: skip
FORMS = (
    "export API_TOKEN={}\nmake",
    'const token = "{}";',
    "这是我的 key：{}，请帮我",
    "\x1b[1m{}\x1b[0m is red",
    "curl -H 'Authorization: Bearer {}' https://api.example.com",
    "bare {} stands here",
    '{{"content":"{{\\"TOKEN\\":\\"{}\\"}}"}}',
    "| staging | {} |",
)


@pytest.mark.parametrize("form", FORMS)
def test_vendor_tokens_go_in_every_form(form):
    for token in VENDOR_TOKENS:
        text = form.format(token)
        clean = redaction.redact(text)
        assert token[6:] not in clean
        assert "[redacted:" in clean
        assert redaction.redact(clean) == clean


@pytest.mark.parametrize(
    "text",
    [
        "DB_PASSWORD={}",
        '"db_password": "{}"',
        "password: {}",
        "the password is {}, log in",
        "密码是 {}，登录",
        "Логин admin, пароль: {}, зайди",
        "postgres://app:{}@db.example.com/app",
        "curl -u admin:{} https://nexus.example.com",
        "mytool --password {} --verbose",
        "Server=db;User Id=sa;Password={};Encrypt=True;",
        "jdbc:postgresql://db/app?user=a&password={}&ssl=true",
    ],
)
def test_named_passwords_go(text):
    assert "Violet7609mango" not in redaction.redact(text.format("Violet7609mango"))


@pytest.mark.parametrize(
    "text",
    [
        "commit 042070e9f9d797cf6be07587d207f6b3d3991977",
        "session 4f982ef4-d394-d9c8-1c06-b44aa7dbcd9c of msg_01AbCdEfGh",
        "~/.claude/projects/-home-ann-src-secret-token-rotator/adf10adb.jsonl",
        "max_tokens=4096, temperature=0.2",
        "api_key: str | None = None",
        "private_key = load_pem_private_key(data, password=None)",
        "password: ${DB_PASSWORD}",
        "Never log the API key: mask it before printing.",
        "headers['Authorization'] = `Bearer ${token}`",
        "SECRET_KEY=[redacted:key]",
        "const keys = Object.keys(config)",
        "a key is a value in a map, the token is refreshed by the client",
        "STRIPE_KEY=sk_live_...",
    ],
)
def test_harmless_text_stays_as_it_is(text):
    assert redaction.redact(text) == text


def pem(lines: int = 6) -> list[str]:
    return ["".join(CHANCE.choices(ALPHANUMERIC + "+/", k=64)) for _ in range(lines)]


@pytest.mark.parametrize(
    "frame",
    [
        "-----BEGIN RSA PRIVATE KEY-----\n{}\n-----END RSA PRIVATE KEY-----\nafter",
        "-----BEGIN OPENSSH PRIVATE KEY-----\n{}\nand after it prose",
        "{}\n-----END PRIVATE KEY-----\nafter",
    ],
)
@pytest.mark.parametrize("mark", ["\n", "\n> ", "\n    ", "\\n"])
def test_private_keys_go_whole_or_cut_off(frame, mark):
    body = pem()
    clean = redaction.redact(frame.replace("\n", mark).format(mark.join(body)))

    assert [line for line in body if line in clean] == []
    assert "after" in clean


def test_a_public_certificate_stays():
    text = "-----BEGIN CERTIFICATE-----\n" + "\n".join(pem()) + "\n-----END CERTIFICATE-----"
    assert redaction.redact(text) == text


def test_a_value_named_once_goes_everywhere():
    clean = redaction.redact_all(["TOKEN=Violet7609mango", "try Violet7609mango again"])

    assert clean.texts == ["TOKEN=[redacted:token]", "try [redacted:token] again"]
    assert clean.count_redactions == 2


def test_a_wrapped_token_goes_whole():
    token = made("sk-ant-api03-", 90)
    wrapped = f"KEY={token[:40]}\n    {token[40:80]}\n    {token[80:]}\nand stops"

    clean = redaction.redact(wrapped)

    assert token[40:60] not in clean
    assert token[80:] not in clean
    assert clean.endswith("\nand stops")


def test_one_text_that_cannot_be_redacted_costs_only_itself(monkeypatch):
    real = redaction.find_spans

    def failing(text, present):
        if text == "bad":
            raise RecursionError
        return real(text, present)

    monkeypatch.setattr(redaction, "find_spans", failing)
    clean = redaction.redact_all(["good", "bad", "TOKEN=Violet7609mango"])

    assert clean.texts == ["good", None, "TOKEN=[redacted:token]"]
    assert clean.count_failures == 1
