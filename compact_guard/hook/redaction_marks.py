"""Vendors' marks, as data: a new vendor is one line here."""

MARKS = {
    "adafruit-key": "aio_",
    "age-key": "AGE-SECRET-KEY-",
    "ai-key": "pplx- gsk_ xai- r8_ hf_ nvapi- pcsk_ fw_ lsv2_pt_ lsv2_sk_ tgp_v1_ api_org_ csk-",
    "airtable-token": "pat",
    "anthropic-key": "sk-ant-",
    "api-key": "sk- sk_ key- secret_ live_ test_ rdme_ waka_ pa- napi_ API- access- sdk- mob- as-",
    "artifactory-token": "AKCp cmVmdGtu eyJ2ZXIi",
    "atlassian-token": "ATATT ATBB ATCTT ATSTT ATTA ATOA",
    "aws-key": "AKIA ASIA ABIA ACCA ABSK bedrock-api-key-",
    "alibaba-key": "LTAI",
    "tencent-key": "AKID",
    "brevo-key": "xkeysib- xsmtpsib-",
    "buildkite-token": "bkua_ bkct_ bkaj_ bkpt_",
    "circleci-token": "CCIPAT_ CCIPRJ_",
    "cloudflare-key": "v1.0- cfut_ cfat_ cfk_",
    "contentful-token": "CFPAT-",
    "databricks-token": "dapi dose dkea",
    "digitalocean-token": "dop_v1_ doo_v1_ dor_v1_",
    "docker-token": "dckr_pat_ dckr_oat_",
    "doppler-token": "dp.pt. dp.st. dp.sa. dp.ct. dp.scim. dp.audit.",
    "dropbox-token": "sl.",
    "dynatrace-token": "dt0c01. dt0s01. dt0s16.",
    "easypost-key": "EZAK EZTK",
    "facebook-token": "EAAC EAAG EAAB EAAD EAAE EAAF EAAH EAAI EAAJ EAAK EAAL EAAM",
    "figma-token": "figd_ figu_ figo_",
    "fly-token": "fo1_ fm1_ fm2_",
    "flutterwave-key": "FLWSECK- FLWSECK_TEST-",
    "github-token": "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ v1.",
    "gitlab-token": "glpat- glrt- gldt- glptt- glcbt- gloas- glsoat- glagent- glimt- glft- glffct- "
    "glrtr- GR1348941",
    "google-key": "AIza GOCSPX-",
    "google-token": "ya29.",
    "grafana-token": "glsa_ glc_",
    "harness-token": "pat. sat.",
    "heroku-key": "HRKU-",
    "hubspot-token": "pat-na1- pat-na2- pat-eu1- pat-ap1-",
    "infracost-key": "ico-",
    "jwt": "eyJ",
    "linear-key": "lin_api_ lin_oauth_ lin_wh_",
    "mapbox-token": "sk.eyJ",
    "nostr-key": "nsec1",
    "netlify-token": "nfp_ nfc_ nfo_ nfu_",
    "newrelic-key": "NRAK- NRII- NRJS- NRIQ- NRRA- NRSP-",
    "notion-token": "ntn_",
    "npm-token": "npm_",
    "nuget-key": "oy2",
    "onepassword-token": "ops_ A3-",
    "openai-key": "sk-proj- sk-svcacct- sk-admin- sess-",
    "openshift-token": "sha256~",
    "paseto": "v1.local. v2.local. v3.local. v4.local. v2.public. v4.public.",
    "planetscale-token": "pscale_",
    "postman-key": "PMAK- PMAT-",
    "razorpay-key": "rzp_live_ rzp_test_",
    "firecrawl-key": "fc-",
    "posthog-key": "phx_ phs_",
    "prefect-key": "pnu_ pnb_",
    "pulumi-token": "pul-",
    "pypi-token": "pypi- cio",
    "rubygems-token": "rubygems_ CLOJARS_",
    "sendgrid-key": "SG.",
    "sentry-token": "sntryu_ sntrys_ sntrya_",
    "shopify-token": "shpat_ shpss_ shpca_ shppa_ shptka_",
    "slack-token": "xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xoxe. xoxc- xoxd- xapp- xwfp-",
    "sonar-token": "squ_ sqp_ sqa_ sqb_",
    "sourcegraph-token": "sgp_ slk_",
    "square-token": "EAAA sq0csp- sq0atp- sq0idp-",
    "stripe-key": "sk_live_ sk_test_ rk_live_ rk_test_ whsec_",
    "supabase-token": "sbp_ sb_secret_",
    "tailscale-key": "tskey-",
    "terraform-token": "atlasv1.",
    "resend-key": "re_",
    "token": "tfp_ pat_ duffel_live_ duffel_test_ shippo_live_ shippo_test_ fio-u- ptr_ AQE y0_ "
    "AQVN t1. hvs. hvb. hvr. s. vcp_ vck_ vci_ ubi_ lob_ dsapi_ apify_api_ sm_pat_ patg_",
}
FEWEST_LETTERS = 14  # where no digit is among them
FEWEST = 16  # characters behind a mark that is long enough to be nobody's word
FEWEST_BEHIND = {  # marks that words, too, may begin with
    "sk-": 20, "sk_": 24, "key-": 32, "secret_": 32, "live_": 30, "test_": 30, "pa-": 36, "pat": 60,
    "dapi": 32, "dose": 32, "dkea": 32, "eyJ": 30, "AKCp": 30, "EAAA": 40, "cio": 32, "oy2": 40,
    "sl.": 60, "s.": 24, "t1.": 60, "v1.": 32, "API-": 24, "as-": 22, "access-": 36, "sdk-": 36,
    "mob-": 36, "AQE": 50, "AKID": 30, "A3-": 30, "rzp_live_": 14, "rzp_test_": 14,
    "fc-": 32, "AQVN": 30, "pat.": 40, "sat.": 40, "pat_": 24, "ATTA": 64,
    "sess-": 30, "re_": 24,
    "npm_": 30, "pypi-": 30, "ya29.": 20, "SG.": 30, "ico-": 32, "fw_": 22, "api_org_": 30,
    "y0_": 40, "ops_": 60, "AIza": 30, "csk-": 30, "lob_": 30, "ATOA": 30, "slk_": 40, "v1.0-": 60,
}  # fmt: skip
FEWEST_BEHIND |= {mark: 40 for mark in MARKS["facebook-token"].split()}

SECRET_WORDS = frozenset((
    "key", "sk", "tok", "token", "pat", "secret", "api", "live", "test", "prod", "production",
    "auth", "access", "priv", "private", "svc", "service", "admin", "sandbox", "oauth", "refresh",
    "bot", "pwd", "v1", "v2", "us1", "eu1", "apikey", "deploy", "ci", "rk", "ak", "cred",
))  # fmt: skip
_TWITTER = r"(?<!A)A{16,40}+[A-Za-z0-9]{6,60}(?:%[0-9A-F]{2}[A-Za-z0-9]{8,80}){1,3}"
_CRYPT = r"\$(?:apr1|2[abxy]|[156]|y|argon2id?)\$[A-Za-z0-9./$=,+]{22,256}"
_LDAP_HASH = r"(?<=[:\s\"'=])\{[A-Z0-9\-]{3,16}\}[A-Za-z0-9+/$.]{16,256}={0,2}"
_EDGE, _EDGE_OF_BASE64 = "(?<![A-Za-z0-9])", "(?<![A-Za-z0-9+/])"
_KUBEADM = (
    r"(?=[a-z]{0,6}[0-9])[a-z0-9]{6}\.(?=[0-9]{0,12}[a-z]{0,14}[0-9])[a-z0-9]{16}"
    r"(?![A-Za-z0-9.\-_])"
)
_ASANA = r"(?<![0-9])[0-2]/[0-9]{13,19}(?:/[0-9]{13,19})?:[0-9a-f]{32}"
_TWILIO = r"AC[0-9a-f]{32}[\"'`,:;/ ]{1,6}[0-9a-f]{32}(?![0-9a-f])"
_K3S = r"K10[0-9a-f]{64}(?:::[a-z]{2,12}:[0-9a-f]{24,64})?(?![0-9a-f])"
_BRAINTREE = r"access_token\$[a-z]{4,12}\$[a-z0-9]{8,24}\$[0-9a-f]{32}"
SHAPES = (  # (strings of which one is in it, letters in front of that, kind, pattern)
    (("SK",), 0, "twilio-key", _EDGE + r"SK[0-9a-f]{32}(?![A-Za-z0-9])"),
    (("K10",), 0, "k3s-token", _EDGE + _K3S),
    (("AC",), 0, "twilio-token", _EDGE + _TWILIO),
    ((":AA",), 10, "telegram-token", r"(?<![0-9])[0-9]{8,10}:AA[A-Za-z0-9_\-]{30,40}"),
    ((":APA91b",), 11, "firebase-key", r"AAAA[A-Za-z0-9_\-]{7}:APA91b[A-Za-z0-9_\-]{100,200}"),
    (("1//0",), 0, "google-token", r"1//0[A-Za-z0-9_\-]{30,200}"),
    (("0/", "1/", "2/"), 0, "asana-token", _ASANA),
    (("ABSK",), 0, "aws-key", _EDGE_OF_BASE64 + r"ABSK[A-Za-z0-9+/]{60,16384}={0,2}"),
    (("AQE",), 0, "adyen-key", _EDGE_OF_BASE64 + r"AQE[A-Za-z0-9+/]{50,16384}={0,2}"),
    (("IQoJb3JpZ2lu",), 0, "aws-token", r"IQoJb3JpZ2lu[A-Za-z0-9+/%_\-]{60,16384}={0,2}"),
    (("fm2_",), 0, "fly-token", _EDGE + r"fm2_[A-Za-z0-9+/]{60,16384}={0,2}"),
    (("u+",), 0, "pagerduty-key", _EDGE_OF_BASE64 + r"u\+[A-Za-z0-9_\-]{18}(?![A-Za-z0-9+/=])"),
    (("FlyV1 ",), 0, "fly-token", r"FlyV1 [A-Za-z0-9_\-+/=,]{20,4096}"),
    (("django-insecure-",), 0, "key", r"django-insecure-[^\s\"'`\\]{20,80}"),
    (("AZDO",), 80, "azure-token", _EDGE + r"[A-Za-z0-9]{70,80}AZDO[A-Za-z0-9]{4}"),
    (("Q~",), 5, "azure-secret", _EDGE + r"[A-Za-z0-9_~.\-]{3,4}[0-9]Q~[A-Za-z0-9_~.\-]{31,34}"),
    (("pk_",), 0, "clickup-token", _EDGE + r"pk_[0-9]{6,10}_[A-Z0-9]{32}(?![A-Za-z0-9])"),
    (("access_token$",), 0, "braintree-token", _BRAINTREE),
    (("5H", "5J", "5K"), 0, "wallet-key", _EDGE + r"5[HJK][1-9A-HJ-NP-Za-km-z]{49}(?![A-Za-z0-9])"),
    (("secret-token:",), 0, "token", r"secret-token:[A-Za-z0-9_\-.~%:/]{16,512}"),
    (("oauth:",), 0, "twitch-token", _EDGE + r"oauth:[a-z0-9]{28,32}(?![A-Za-z0-9])"),
    ((".",), 6, "kubeadm-token", _EDGE + _KUBEADM),
    (("-us",), 33, "mailchimp-key", _EDGE + r"[0-9a-f]{32}-us[0-9]{1,2}(?![A-Za-z0-9])"),
    ((".atlasv1.",), 20, "terraform-token", r"[A-Za-z0-9]{10,20}\.atlasv1\.[A-Za-z0-9_\-]{50,120}"),
    (("A" * 16,), 0, "twitter-token", _TWITTER),
    (("$",), 0, "password-hash", _CRYPT),
    (("{SHA", "{SSHA", "{SMD5}", "{PBKDF2", "{CRYPT}"), 0, "password-hash", _LDAP_HASH),
)  # fmt: skip
DISCORD = r"[MNO][A-Za-z0-9]{22,27}\.[A-Za-z0-9_\-]{6}\.[A-Za-z0-9_\-]{27,45}"
