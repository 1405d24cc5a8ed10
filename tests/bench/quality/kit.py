"""compaction-conformance-kit's canaries: statements and probes that we did not write.

Its sessions are a few kilobytes, so they are told among small talk of ours, spread evenly. A
canary survives if the kit's own probe finds it in the injected text; one with superseded values
leaks if an older value is still there.
"""

import random
import sys
from pathlib import Path

from tests.bench.quality import phrases
from tests.bench.quality.conversations import Story, small_talk_turn

SEEDS = range(1, 7)


def sessions(commands: Path) -> list[tuple[Story, list]]:
    """Stories of 1,000 messages, each with its canaries; needs the installed kit."""
    sys.path.append(str(next(commands.parent.glob("lib/python*/site-packages"))))
    from compaction_kit import canaries, corpus, generated, session

    found = [(session.build_seeded_session(), canaries.seeded_canaries())]
    found += [corpus.build_random_session(seed) for seed in SEEDS]
    found += [generated.build_generated_session(seed) for seed in SEEDS]
    return [(_among_small_talk(told, 1_000, n), kit) for n, (told, kit) in enumerate(found)]


def score(canaries: list, text: str) -> tuple[int, int, int, int]:
    """Survived, of how many; leaked an older value, of how many."""
    from compaction_kit.probes import BehaviorProbe

    survived = sum(BehaviorProbe().probe(canary, text).survived for canary in canaries)
    updated = [canary for canary in canaries if canary.superseded_tokens]
    lowered = text.lower()
    leaked = sum(
        any(token.lower() in lowered for token in canary.superseded_tokens) for canary in updated
    )
    return survived, len(canaries), leaked, len(updated)


def _among_small_talk(told, messages: int, seed: int) -> Story:
    chance = random.Random(seed)
    bank = phrases.load("en", "held out")
    turns = [(turn.role, turn.text) for turn in told.turns if turn.role in ("user", "assistant")]
    story = Story()
    while turns:
        room = (messages - len(story.messages) - len(turns)) // 2
        for _ in range(round(2 * room / len(turns))):
            story.messages += small_talk_turn(bank, chance, " ")
        story.messages += turns[:2]
        turns = turns[2:]
    return story
