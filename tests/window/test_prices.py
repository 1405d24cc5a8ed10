"""Prices equal the library's own arithmetic, and a file of the user's replaces them."""

from datetime import UTC, datetime

import pytest
from genai_prices import Usage, calc_price
from hypothesis import given
from hypothesis import strategies as st

from compact_guard.errors import UsageError
from compact_guard.window import prices
from tests.window.stories import ClaudeStory
from tests.window.studies import studied

MODELS = (
    "claude-opus-4-5-20251101", "claude-opus-4-6", "claude-opus-5", "claude-opus-5-5",
    "claude-sonnet-4-5-20250929", "claude-sonnet-5-5", "claude-haiku-5-5", "claude-fable-5-1",
    "gpt-5-codex", "gpt-5.2", "gpt-5.4", "gpt-5.5", "gpt-5.6-luna", "gpt-5.6-sol",
)  # fmt: skip
counts = st.integers(0, 400_000)


def cost(model, at, tokens, speed="standard"):
    """What our table makes of it."""
    context = sum(tokens) - tokens[1]
    (price,) = (
        price
        for price in prices.find([(model, speed)])
        if price.valid_from <= at < price.valid_until
        and price.context_above < context <= price.context_up_to
    )
    return sum(count * rate for count, rate in zip(tokens, price[6:11], strict=True)) / 1e6


@given(
    model=st.sampled_from(MODELS),
    at=st.datetimes(datetime(2025, 6, 1), datetime(2026, 11, 30)),
    tokens=st.tuples(counts, counts, counts, counts, counts),
)
def test_every_price_equals_the_librarys_own_sum(model, at, tokens):
    new, written, read, kept_5m, kept_1h = tokens
    usage = Usage(
        input_tokens=new + read + kept_5m + kept_1h,
        output_tokens=written,
        cache_read_tokens=read,
        cache_write_tokens=kept_5m + kept_1h,
        cache_write_1h_tokens=kept_1h,
    )
    when = at.replace(tzinfo=UTC)

    expected = calc_price(usage, model, genai_request_timestamp=when).total_price

    assert cost(model, at, tokens) == pytest.approx(float(expected), rel=1e-9, abs=1e-12)


def test_reading_the_cache_is_not_a_tenth_for_every_model():
    shares = {
        model: prices.find([(model, "standard")])[0].cache_read_usd
        / prices.find([(model, "standard")])[0].input_usd
        for model in ("claude-opus-5", "claude-opus-5-5", "claude-fable-5-1")
    }

    assert {model: round(share, 3) for model, share in shares.items()} == {
        "claude-opus-5": 0.1,
        "claude-opus-5-5": 0.05,
        "claude-fable-5-1": 0.025,
    }


def test_fast_answers_have_their_own_price_or_none():
    at, tokens = datetime(2026, 11, 1), (1_000, 1_000, 0, 0, 0)

    assert cost("claude-opus-5-5", at, tokens, "fast") > cost("claude-opus-5-5", at, tokens)
    assert prices.find([("claude-fable-5-1", "fast")]) == []


def test_a_mark_of_the_window_behind_a_model_changes_no_price():
    marked, plain = (prices.find([(f"claude-opus-5-5{mark}", "standard")]) for mark in ("[1m]", ""))

    assert [price[2:] for price in marked] == [price[2:] for price in plain]


@pytest.mark.parametrize(
    ("spelled", "provider", "reference"),
    [
        ("us.anthropic.claude-opus-4-5-20251101-v1:0", "aws",
         "us.anthropic.claude-opus-4-5-20251101-v1:0"),
        ("eu.anthropic.claude-sonnet-4-5-20250929-v1:0", "aws",
         "eu.anthropic.claude-sonnet-4-5-20250929-v1:0"),
        ("global.anthropic.claude-opus-4-5-20251101-v1:0", "aws",
         "global.anthropic.claude-opus-4-5-20251101-v1:0"),
        ("us.anthropic.claude-opus-5-5", "aws", "us.anthropic.claude-opus-5-5"),
        ("arn:aws:bedrock:us-east-1:123456789012:inference-profile/"
         "us.anthropic.claude-opus-4-5-20251101-v1:0", "aws",
         "us.anthropic.claude-opus-4-5-20251101-v1:0"),
        ("us.anthropic.claude-opus-4-5-20251101-v1:0[1m]", "aws",
         "us.anthropic.claude-opus-4-5-20251101-v1:0"),
        ("claude-sonnet-4-5@20250929", "anthropic", "claude-sonnet-4-5-20250929"),
        ("claude-opus-5-5@default", "anthropic", "claude-opus-5-5"),
        ("claude-opus-5-5@default[1m]", "anthropic", "claude-opus-5-5"),
        ("anthropic/claude-opus-4.5", "anthropic", "claude-opus-4-5"),
        ("anthropic/claude-sonnet-4.5:beta", "anthropic", "claude-sonnet-4-5"),
        ("openrouter/anthropic/claude-opus-4.5", "anthropic", "claude-opus-4-5"),
        ("openai/gpt-5.2-codex", "openai", "gpt-5.2-codex"),
    ],
)  # fmt: skip
def test_a_cloud_or_a_gateway_spells_a_model_its_own_way(spelled, provider, reference):
    """Bedrock's regions cost a tenth more; a gateway's surcharge is in no library."""
    at, tokens = datetime(2026, 11, 1), (1_000, 500, 20_000, 3_000, 0)
    new, written, read, kept_5m, _ = tokens
    usage = Usage(
        input_tokens=new + read + kept_5m,
        output_tokens=written,
        cache_read_tokens=read,
        cache_write_tokens=kept_5m,
    )

    expected = calc_price(
        usage, reference, provider_id=provider, genai_request_timestamp=at.replace(tzinfo=UTC)
    )

    assert cost(spelled, at, tokens) == pytest.approx(float(expected.total_price), rel=1e-9)


def test_regions_of_bedrock_cost_a_tenth_more_than_the_maker():
    at, tokens = datetime(2026, 11, 1), (1_000, 500, 20_000, 3_000, 0)

    regional = cost("us.anthropic.claude-opus-4-5-20251101-v1:0", at, tokens)
    assert regional == pytest.approx(1.1 * cost("claude-opus-4-5-20251101", at, tokens))


@pytest.mark.parametrize(
    "spelled",
    [
        "arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abc123",
        "us.anthropic.claude-heron-9-v1:0",
        "anthropic/claude-heron-9",
        "claude-heron-9@20270101",
    ],
)
def test_a_spelling_that_hides_the_model_is_named_as_unpriced(tmp_path, spelled):
    story = ClaudeStory(tmp_path / "a.jsonl").said("m1", read=1_000, model=spelled)

    study = studied(story.path)

    assert study["unpriced_models"] == [spelled]
    assert study["totals"]["unpriced_turns"] == 1


def test_a_model_without_a_price_is_named_and_never_priced_at_zero(tmp_path):
    story = ClaudeStory(tmp_path / "a.jsonl").said("m1", read=1_000, model="heron-9")
    story.said("m2", read=1_000)

    study = studied(story.path)

    assert study["unpriced_models"] == ["heron-9"]
    assert study["totals"]["unpriced_turns"] == 1
    assert study["totals"]["cost_usd"] == pytest.approx((3 * 4 + 1_000 * 0.2 + 10 * 20) / 1e6)


OWN = """
[[price]]
model = "heron-9"
input = 1.0
output = 2.0
cache_read = 0.5
cache_write_5m = 1.25
cache_write_1h = 2.0
"""


def test_a_file_of_the_users_gives_a_price(tmp_path):
    story = ClaudeStory(tmp_path / "a.jsonl").said("m1", read=1_000, model="heron-9")
    own = tmp_path / "prices.toml"
    own.write_text(OWN)

    study = studied(story.path, prices=own)

    assert study["unpriced_models"] == []
    assert study["totals"]["cost_usd"] == pytest.approx((3 * 1 + 1_000 * 0.5 + 10 * 2) / 1e6)


def test_a_price_of_the_users_may_begin_on_a_day_and_above_a_size(tmp_path):
    own = tmp_path / "prices.toml"
    dated = OWN.replace("input = 1.0", "input = 3.0\nstart = 2026-08-01")
    large = OWN.replace("input = 1.0", "input = 9.0\ncontext_above = 200_000")
    own.write_text(OWN + dated + large)

    found = prices.find([("heron-9", "standard")], own)

    told = [(price.valid_from.year, price.context_above, price.input_usd) for price in found]
    assert told == [(1, -1, 1.0), (1, 200_000, 9.0), (2026, -1, 3.0)]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("price = 3", "line 1: .*price"),
        (OWN.replace("input = 1.0", ""), "line 2: .*input"),
        (OWN.replace("1.0", "-1.0"), "line 4: .*input"),
        (OWN.replace("1.0", "nan"), "line 4: .*input"),
        (OWN + 'colour = "grey"', "line 2: .*colour"),
        (OWN + OWN, "line 10: two prices for heron-9"),
        (OWN.replace("input = 1.0", "input = 1.0\ncontext_above = 5"), "without context_above"),
        ("[[price", "price"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_with_its_fault(content, complaint, tmp_path):
    own = tmp_path / "prices.toml"
    own.write_text(content)

    with pytest.raises(UsageError, match=complaint) as refusal:
        prices.find([("heron-9", "standard")], own)

    assert str(own) in str(refusal.value)
