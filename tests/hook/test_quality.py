"""The benchmark's aims on one seed of each language, so that a change that loses words is seen."""

import pytest

from tests.bench.quality import contestants, conversations, phrases


@pytest.mark.parametrize("language", phrases.LANGUAGES)
@pytest.mark.parametrize("compactions", [1, 4])
def test_planted_rules_are_kept_and_corrected_ones_are_not(tmp_path, language, compactions):
    story = conversations.tell(language, "tuned", 600, seed=1)

    text = contestants.ours(story, tmp_path, compactions)

    rules = [planted for planted in story.planted if planted.rank in phrases.RULES]
    assert len(rules) >= 36
    assert sum(rule.text in text for rule in rules) >= 0.95 * len(rules)
    assert [
        planted.text for planted in story.planted if planted.is_stale and planted.text in text
    ] == []
