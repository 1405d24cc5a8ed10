"""Tokens that carry their vendor's mark. A table of plain strings: nothing to compile, linear."""

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from compact_guard.hook.redaction import Span

# mark -> (kind, fewest characters behind it)
_MARKS = {
    "sk-ant-": ("anthropic-key", 16),
    "sk-proj-": ("openai-key", 16),
    "sk-svcacct-": ("openai-key", 16),
    "sk-admin-": ("openai-key", 16),
    "sk-or-": ("openrouter-key", 16),
    "sk-": ("api-key", 20),
    "gsk_": ("groq-key", 20),
    "xai-": ("xai-key", 20),
    "pplx-": ("perplexity-key", 20),
    "r8_": ("replicate-key", 20),
    "hf_": ("huggingface-token", 20),
    "ghp_": ("github-token", 20),
    "gho_": ("github-token", 20),
    "ghu_": ("github-token", 20),
    "ghs_": ("github-token", 20),
    "ghr_": ("github-token", 20),
    "github_pat_": ("github-token", 20),
    "glpat-": ("gitlab-token", 16),
    "glrt-": ("gitlab-token", 16),
    "gldt-": ("gitlab-token", 16),
    "glptt-": ("gitlab-token", 16),
    "glcbt-": ("gitlab-token", 16),
    "xoxb-": ("slack-token", 16),
    "xoxp-": ("slack-token", 16),
    "xoxa-": ("slack-token", 16),
    "xoxr-": ("slack-token", 16),
    "xoxs-": ("slack-token", 16),
    "xoxe-": ("slack-token", 16),
    "xapp-": ("slack-token", 16),
    "sk_live_": ("stripe-key", 16),
    "sk_test_": ("stripe-key", 16),
    "rk_live_": ("stripe-key", 16),
    "rk_test_": ("stripe-key", 16),
    "whsec_": ("stripe-key", 16),
    "AIza": ("google-key", 30),
    "GOCSPX-": ("google-key", 20),
    "ya29.": ("google-token", 20),
    "1//0": ("google-token", 30),
    "eyJ": ("jwt", 30),
    "npm_": ("npm-token", 30),
    "pypi-": ("pypi-token", 30),
    "SG.": ("sendgrid-key", 30),
    "key-": ("mailgun-key", 32),
    "dop_v1_": ("digitalocean-token", 30),
    "doo_v1_": ("digitalocean-token", 30),
    "hvs.": ("vault-token", 20),
    "hvb.": ("vault-token", 20),
    "dapi": ("databricks-token", 32),
    "HRKU-": ("heroku-key", 20),
    "shpat_": ("shopify-token", 20),
    "shpss_": ("shopify-token", 20),
    "shpca_": ("shopify-token", 20),
    "shppa_": ("shopify-token", 20),
    "lin_api_": ("linear-key", 20),
    "ntn_": ("notion-token", 30),
    "secret_": ("notion-token", 40),
    "glsa_": ("grafana-token", 20),
    "glc_": ("grafana-token", 30),
    "NRAK-": ("newrelic-key", 20),
    "sntryu_": ("sentry-token", 30),
    "sntrys_": ("sentry-token", 30),
    "dckr_pat_": ("docker-token", 20),
    "AGE-SECRET-KEY-": ("age-key", 30),
    "figd_": ("figma-token", 20),
    "PMAK-": ("postman-key", 20),
    "atlasv1.": ("terraform-token", 20),
    "tfp_": ("token", 30),
    "pat_": ("token", 30),
    "ATATT": ("atlassian-token", 30),
    "EAAC": ("facebook-token", 40),
    "sq0csp-": ("square-token", 20),
    "EAAA": ("square-token", 40),
    "AKCp": ("artifactory-token", 30),
    "rubygems_": ("rubygems-token", 30),
    "nfp_": ("netlify-token", 30),
    "vercel_": ("vercel-token", 20),
    "sbp_": ("supabase-token", 30),
    "pscale_": ("planetscale-token", 20),
    "fo1_": ("fly-token", 20),
    "FlyV1 ": ("fly-token", 20),
    "hooks.slack.com/services/": ("slack-webhook", 20),
    "discord.com/api/webhooks/": ("discord-webhook", 20),
    "discordapp.com/api/webhooks/": ("discord-webhook", 20),
}
_DOTTED = frozenset(("eyJ", "ya29.", "SG.", "hvs.", "hvb.", "atlasv1.", "1//0"))
_SLASHED = frozenset(mark for mark in _MARKS if "/" in mark)
_PLAIN_TAIL = r"[A-Za-z0-9_\-]{0,8192}"
_DOTTED_TAIL = r"[A-Za-z0-9_\-.]{0,8192}"
_SLASHED_TAIL = r"[A-Za-z0-9_\-/]{0,512}"
_SHAPES = (  # (string that must occur, kind, pattern)
    ("AKIA", "aws-key", r"(?<![A-Za-z0-9])AKIA[A-Z0-9]{16}(?![A-Za-z0-9])"),
    ("ASIA", "aws-key", r"(?<![A-Za-z0-9])ASIA[A-Z0-9]{16}(?![A-Za-z0-9])"),
    ("SK", "twilio-key", r"(?<![A-Za-z0-9])SK[0-9a-f]{32}(?![A-Za-z0-9])"),
    (":AA", "telegram-token", r"(?<![0-9A-Za-z])[0-9]{8,10}:AA[A-Za-z0-9_\-]{30,40}"),
    (
        ".",
        "discord-token",
        r"(?<![A-Za-z0-9])[MNO][A-Za-z0-9]{22,27}\.[A-Za-z0-9_\-]{6}\.[A-Za-z0-9_\-]{27,45}",
    ),
)
_patterns: dict[str, re.Pattern[str]] = {}


def spans_in(text: str) -> "Iterator[Span]":
    """Vendor tokens as `(start, end, kind)`."""
    for mark, (kind, fewest) in _MARKS.items():
        if mark in text:
            yield from _marked(text, mark, kind, fewest)
    for needle, kind, pattern in _SHAPES:
        if needle in text:
            for match in _pattern(pattern).finditer(text):
                yield match.start(), match.end(), kind


def _marked(text: str, mark: str, kind: str, fewest: int) -> "Iterator[Span]":
    tail = _pattern(_tail_of(mark))
    start = text.find(mark)
    while start >= 0:
        behind = start + len(mark)
        found = tail.match(text, behind)
        end = found.end() if found else behind
        while end > behind and text[end - 1] in ".-":
            end -= 1  # the end of a sentence, an ellipsis, a list
        if end - behind >= fewest and _begins(text, start) and _looks_random(text[behind:end]):
            yield start, end, kind
        start = text.find(mark, max(end, behind))


def _tail_of(mark: str) -> str:
    if mark in _SLASHED and mark not in _DOTTED:
        return _SLASHED_TAIL
    return _DOTTED_TAIL if mark in _DOTTED else _PLAIN_TAIL


def _begins(text: str, start: int) -> bool:
    """ASCII on purpose: a token directly behind a Chinese character is a token."""
    if start == 0:
        return True
    before = text[start - 1]
    return not (before.isascii() and (before.isalnum() or before == "_"))


def _looks_random(tail: str) -> bool:
    """A word joined by dashes (`sk-learn-like-names-are-fine`) has no digit and no capital."""
    return any(letter.isdigit() for letter in tail) or tail.lower() != tail != tail.upper()


def _pattern(source: str) -> re.Pattern[str]:
    if source not in _patterns:
        _patterns[source] = re.compile(source)
    return _patterns[source]
