"""Each mechanism of the redactor: a secret that it takes, and its twin that it leaves alone."""

import json

import pytest

from compact_guard.hook import redaction, redaction_anchors, redaction_rules
from tests.redaction import pairs
from tests.redaction.corpus import HALVES, records

HTTPS = "https:" + "//"
PEM64 = (
    "LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCk1JSUV2UUlCQURBTkJna3Foa2lHOXcwQkFRRUZBQVNDQktjd2dn"
    "U2pBZ0VBQW9JQkFRCi0tLS0tRU5EIFBSSVZBVEUgS0VZLS0tLS0K"
)
CERTIFICATE64 = "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUR6ekNDQXJlZ0F3SUJBZ0lVTXpCdz09Cg=="
PAIRS = {
    "a tool's option": ("redis-cli -a ⟦Xk3v9Qm2Lp⟧ ping", "redis-cli -a $REDIS_PASSWORD ping"),
    "an option without a space": ("7z x a.7z -p⟦Xk3v9Qm2Lp⟧", "docker run -p 8080:80 nginx"),
    "a long option": ("keytool -storepass ⟦Xk3v9Qm2Lp⟧ -list", "openssl -passin env:PASS"),
    "an argument": ("cargo login ⟦Xk3v9Qm2Lp7Rt⟧", "cargo login"),
    "a directive": ("requirepass ⟦Xk3v9Qm2Lp⟧\n", "the requirepass directive"),
    "a database's user": ("IDENTIFIED BY '⟦mango-saddle-lemon-41⟧'", "identified by 'region'"),
    "a tool's answer": (
        "$ pass show work/vpn\n⟦Xk3v9Qm2Lp⟧\n",
        "$ pass show work/vpn\nnot found\n",
    ),
    "what is piped": ("echo '⟦ann:Xk3v9Qm2⟧' | chpasswd", "chpasswd reads name:word pairs"),
    "a driver's address": ('"app:⟦Xk3v9Qm2⟧@tcp(db:3306)/a"', '"app@tcp(db:3306)/a"'),
    "a key in base64": (f"KEY_B64={'⟦' + PEM64 + '⟧'}", f"authority: {CERTIFICATE64}"),
    "a manifest": (
        "kind: Secret\ndata:\n  smtp: ⟦cGFzc3dvcmQx⟧\ntype: Opaque",
        "kind: ConfigMap\ndata:\n  smtp: cGFzc3dvcmQx\n",
    ),
    "a manifest's neighbour": (
        "data:\n  smtp: ⟦cGFzc3dvcmQx⟧\nkind: Secret",
        "kind: Secret\nmetadata:\n  name: api-2\n\nkind: ConfigMap\ndata:\n  region: eu-central-1",
    ),
    "recovery codes": (
        "Recovery codes:\n⟦keijj-5ug23⟧\n⟦phyny-mavfv⟧\n\nOnce each.",
        "Recovery codes\nare stored hashed in table codes2 since 2024",
    ),
    "a hook's address": (
        HTTPS + "hooks.example.com/⟦workflows/T0AB/A1CD/eSbdsVyg2Nus0Tu0tO5I⟧",
        HTTPS + "hooks.example.com/docs/overview",
    ),
    "noise of an unknown maker": (
        "请用⟦q7Zx9fK2mVb8Lw3Rt6Yp1Hs4Dg0Jc5Xn⟧重试",
        "X-Amz-Cf-Id: q7Zx9fK2mVb8Lw3Rt6Yp1Hs4Dg0Jc5Xn",
    ),
    "a link's parameter": (
        "try ⟦q7Zx9fK2mVb8Lw3Rt6Yp1Hs4Dg0Jc5Xn⟧",
        HTTPS + "example.com/?utm_source=n&gclid=q7Zx9fK2mVb8Lw3Rt6Yp1Hs4Dg0Jc5Xn",
    ),
    "a cache's key": ("key=⟦a1b2c3d4e5f60718293a4b5c6d7e8f90⟧", "cache hit key=v3-" + "a1b2" * 16),
    "letters alone": (
        "Das Passwort lautet ⟦efcPryMCnGgm⟧.",
        "Das Passwort lautet minLength nicht.",
    ),
    "a word and a number": ("password: ⟦lantern6957⟧", "the password is hashed with sha256"),
    "a made-up name": ("The password is ⟦Desert_GLAC62⟧.", "The password is in Vault_V2."),
    "signs in the middle": ("パスワードは⟦abc&2w4them2gc⟧です", "?password=&page=2"),
    "a field that a test fills": (
        "cy.get('#password').type('⟦Pebble_HELM36⟧')",
        "cy.get('#password').should('be.visible')",
    ),
    "a word for the secret": ("password: ⟦Violet7609⟧", '"password": "Passwort"'),
    "an object's name": ('secret "⟦Xk3v9Qm2Lp7Rt5⟧"', 'secret "api-token-32l3b" mounted'),
    "a public key's number": ("key: ⟦JTFKJ78Z4YABTDHD⟧", "gpg: key JTFKJ78Z4YABTDHD: public key"),
    "a password in Dutch": (
        "ww voor de server: ⟦dijk-kaas-27-mjgs⟧",
        "ww voor de server: zie de kluis",
    ),
    "a password in Danish": ("kodeord: ⟦kanel9359Sparv⟧ - se", "kodeord: se wikien"),
    "a password in Korean": (
        "패스워드를 ⟦xGU4_qckZzP⟧(으)로 초기화했습니다",
        "패스워드를 reset_password(user)로 초기화했습니다",
    ),
    "a password in Greek": ("συνθηματικό: ⟦Violet7609⟧", "συνθηματικό: στο αρχείο"),
    "a password changed to": (
        "Troquei a senha do painel para ⟦fbPvv_nSVPje4⟧; confirma",
        "Troquei a senha do painel para o novo formato",
    ),
    "an adverb that links": (
        "J'ai changé le mot de passe, c'est maintenant ⟦pYC2_vfErqMb⟧ ;",
        "J'ai changé le mot de passe, c'est maintenant obligatoire ;",
    ),
    "a password of a key": (
        "The passphrase of that ssh key is ⟦walnut2797Glacier!⟧ so use it",
        "The passphrase of that ssh key is required so use it",
    ),
    "a password for a name": (
        "Please use ⟦Velvet.pepper6635⟧ for MINIO_ROOT_PASSWORD in the tests",
        "Please use Config.load for MINIO_ROOT_PASSWORD in the tests",
    ),
    "two words, a dot and a number": (
        '"borg_passphrase":"⟦Copper.timber4493⟧"',
        '"borg_passphrase":"Math.log10"',
    ),
    "a value on a mail's next line": (
        "> the new cookie key is\n> ⟦3ac3ab2e00125420461b373db5af22ef⟧\n>\n> Regards",
        "> the new cookie is\n> 3ac3ab2e00125420461b373db5af22ef in the log\n> Regards",
    ),
    "an app password": (
        "app password: ⟦xtse dlqa ydnh botu⟧ (alerts)",
        "app password: this only will work when enabled",
    ),
    "any scheme's id": (
        "Authorization: Splunk ⟦1c4be20b-2c7f-4af8-b41a-7022895cd925⟧",
        "X-Request-Id: 1c4be20b-2c7f-4af8-b41a-7022895cd925",
    ),
    "a password in front of a user": (
        r"net use Z: \\nas\data ⟦rt8gAzwDY_50Hw⟧ /user:CORP\svc",
        r"net use Z: \\nas\data /user:CORP\svc /persistent:no",
    ),
    "a pair behind a directive": ("stats auth ops:⟦rfbrg50x.Lm1B⟧\n", "stats auth is set\n"),
    "a debugger's answer": (
        "(Pdb) p cfg.keystore_password\n'⟦D7Laln4sSS81BNk⟧'\n(Pdb) c",
        "(Pdb) p cfg.keystore_password\n'unset'\n(Pdb) c",
    ),
    "a template's default": (
        "ProxyPass:\n    Type: String\n    NoEcho: true\n    Default: ⟦Hz6NuBwU.YD⟧\n",
        "ProxyPass:\n    Type: String\n    NoEcho: true\n    Default: none\n",
    ),
    "a template's parameter": (
        '"keystorePassword": {\n      "value": "⟦8mqBs-lMyvgR⟧"\n    }',
        '"keystorePassword": {\n      "type": "secureString"\n    }',
    ),
    "a machine between": (
        "pw for the build box: ⟦badger179Nectar⟧ (user builder)",
        "pw for the build box: see wiki (user builder)",
    ),
    "a key of a curve": (
        '{"kty":"EC","x":"a","d":"⟦Ms_QjhRVQCWSEx53QSCbTlfxk53pdP91GIHIxB2kQ7s⟧"}',
        '{"kty":"EC","x":"Ms_QjhRVQCWSEx53QSCbTlfxk53pdP91GIHIxB2kQ7s","y":"vtpk15lf0Xlnc7vljSPv"}',
    ),
    "a joining token": ("--token ⟦a1bcde.7f8g9h0i1j2k3l4m⟧", "index.1a2b3c4d5e6f7a8b"),
} | pairs.PAIRS


@pytest.mark.parametrize("name", PAIRS)
def test_a_secret_goes_and_what_is_around_it_stays(name):
    marked, _ = PAIRS[name]
    pieces = marked.replace("⟧", "⟦").split("⟦")
    clean = redaction.redact("".join(pieces))

    assert all(secret not in clean for secret in pieces[1::2])
    assert all(around in clean for around in pieces[0::2])


@pytest.mark.parametrize("name", PAIRS)
def test_its_twin_stays_letter_by_letter(name):
    _, twin = PAIRS[name]

    assert redaction.redact(twin) == twin


@pytest.mark.parametrize("half", HALVES)
def test_one_look_over_all_texts_hides_nothing_from_any_of_them(half):
    texts = [record.text for record in records(half)]
    vocabulary = redaction_rules.vocabulary(texts)

    for text in texts:
        assert redaction.find_spans(text, vocabulary) == redaction.find_spans(text)


def test_anchors_that_occur_nowhere_are_left_out():
    table = ((("op read", "pwgen"), "first"), (("chpasswd",), "second"))
    index = redaction_anchors.Index([table])
    vocabulary = redaction_anchors.Vocabulary(index, lambda words: ())

    assert vocabulary.look("run the op READ it").rules(table) == ((("op read",), "first"),)
    assert redaction_anchors.Anchors().rules(table) == table


@pytest.mark.parametrize("half", HALVES)
def test_what_is_redacted_is_stable_among_others_in_a_file(half):
    """A checkpoint holds many texts: no rule may reach from one of them into the next."""
    clean = [redaction.redact(record.text) for record in records(half)]
    serialised = json.dumps([{"text": text} for text in clean], ensure_ascii=False, indent=1)

    assert redaction.redact(serialised) == serialised


def test_cookies_of_a_command_are_read_though_a_header_follows():
    session = "KSR9ZSP5HJN670MZJS0NEXDB63OS167Z"
    later = "Cookie: lang=de; sid=Xk3v9Qm2Lp7Rt5Wz8Xk3v9Qm2"

    assert session not in redaction.redact(f"curl -b 'JSESSIONID={session}' localhost\n{later}")


def test_a_name_is_judged_where_it_stands_and_not_where_its_like_stood():
    """The first `key` of a property list announces a name, the second one the value."""
    text = "<key>BILLING_API_KEY</key>\n<string>0b68e5c4bd00037f126c2daf2b921d92</string>"

    assert "0b68e5c4" not in redaction.redact(text)


def test_what_a_view_leaves_out_ends_with_a_line():
    """A cloud resource's name is harmless by its beginning: no view may cut that off."""
    harmless = "arn:aws:secretsmanager:eu-west-1:183679055575:secret:prod/api-9aHaSa"
    far = "nothing to see\n" * 60
    texts = [f"{far}{harmless}\n{'y' * length} %41%42" for length in range(320, 410, 7)]

    assert [text for text in texts if redaction.redact(text) != text] == []
