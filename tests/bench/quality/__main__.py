"""What a checkpoint keeps: planted statements in the injected text, ours and others', same run.

    python -m tests.bench.quality [SEEDS]

Exit status 1 if ours keeps less than the aims: 95 % of corrections, decisions and constraints
among 1,000 messages, 85 % among 10,000.
"""

import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.bench.quality import contestants, conversations, kit, phrases

SEEDS = 2
AIMS = {1_000: 0.95, 10_000: 0.85}
COMPACTIONS = (1, 8)
KIT_COMPACTIONS = (1, 5)
PEERS = {"cc-compact": contestants.cc_compact, "claimkeep": contestants.claimkeep}
OTHERS = ("floor", *PEERS)


class Score:
    """Counts of one contestant in one kind of conversation."""

    def __init__(self) -> None:
        self.kept: Counter = Counter()
        self.planted: Counter = Counter()

    def add(self, story: conversations.Story, text: str) -> None:
        for planted in story.planted:
            kind = "stale" if planted.is_stale else planted.rank
            kinds = [kind, f"{kind} {'cued' if planted.is_cued else 'uncued'}"]
            kinds += ["rules"] if planted.rank in phrases.RULES else []
            for name in kinds:
                self.planted[name] += 1
                self.kept[name] += planted.text in text

    def add_all(self, other: "Score") -> None:
        self.kept += other.kept
        self.planted += other.planted

    def share(self, kind: str) -> float:
        return self.kept[kind] / self.planted[kind]

    def percent(self, kind: str) -> str:
        return f"{100 * self.share(kind):.0f} %"


def main() -> int:
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else SEEDS
    commands = contestants.install_peers()
    fell_short = False
    by_rank = Score()
    _print("Rules kept (and stale statements let through), of the injected 10,000 characters\n")
    _row("phrases", "language", "messages", "ours x1", "ours x8", *OTHERS)
    for half in phrases.HALVES:
        for language in phrases.LANGUAGES:
            for messages, aim in AIMS.items():
                stories = [
                    conversations.tell(language, half, messages, seed) for seed in range(seeds)
                ]
                scores = _scores(stories, commands)
                if half == phrases.HALVES[1]:
                    for count in COMPACTIONS:
                        by_rank.add_all(scores[f"ours {count}"])
                cells = [f"{s.percent('rules')} ({s.percent('stale')})" for s in scores.values()]
                _row(half, language, f"{messages:,}", *cells)
                fell_short |= any(scores[f"ours {n}"].share("rules") < aim for n in COMPACTIONS)
    _print("\nOurs by rank, held out phrases, all languages and lengths\n")
    for name in sorted(by_rank.planted):
        if " " in name or name in ("superseding", "stale"):
            _row(name, f"{by_rank.kept[name]}/{by_rank.planted[name]}", by_rank.percent(name))
    _kit(commands)
    return int(fell_short)


def _scores(stories: list[conversations.Story], commands: Path) -> dict[str, Score]:
    scores = {name: Score() for name in [*(f"ours {n}" for n in COMPACTIONS), *OTHERS]}
    for story in stories:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for count in COMPACTIONS:
                place = folder / str(count)
                place.mkdir()
                scores[f"ours {count}"].add(story, contestants.ours(story, place, count))
            scores["floor"].add(story, contestants.floor(story))
            for peer, run in PEERS.items():
                scores[peer].add(story, run(story, folder / peer, commands))
    return scores


def _kit(commands: Path) -> None:
    _print("\ncompaction-conformance-kit, its sessions among 1,000 messages\n")
    _row("", "survived", "older values leaked")
    totals = {name: [0, 0, 0, 0] for name in [*(f"ours x{n}" for n in KIT_COMPACTIONS), "floor"]}
    for story, canaries in kit.sessions(commands):
        with tempfile.TemporaryDirectory() as name:
            texts = {"floor": contestants.floor(story)}
            for count in KIT_COMPACTIONS:
                place = Path(name) / str(count)
                place.mkdir()
                texts[f"ours x{count}"] = contestants.ours(story, place, count)
        for contestant, text in texts.items():
            counts = kit.score(canaries, text)
            totals[contestant] = [a + b for a, b in zip(totals[contestant], counts, strict=True)]
    for contestant, (survived, canaries, leaked, updated) in totals.items():
        _row(contestant, f"{survived}/{canaries}", f"{leaked}/{updated}")


def _row(*cells: str) -> None:
    _print("".join(f"{cell:<18}" for cell in cells).rstrip() + "\n")


def _print(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
