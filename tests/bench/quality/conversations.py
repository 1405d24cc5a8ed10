"""Seeded conversations in which we know what must be kept, and what must not come back."""

import random
from dataclasses import dataclass, field
from pathlib import Path

from tests.bench.quality import phrases
from tests.hook.transcripts import Transcript

PLANTED_MAX = 40
CORRECTED = 8
OTHERS = 4  # tasks and pieces of evidence, each
LATEST = 0.97  # nothing is planted later: it might be kept for being recent
_SERVICES = (
    "billing", "orders", "search", "mailer", "gateway", "identity", "catalog", "reports", "ingest",
    "scheduler",
)  # fmt: skip
_LIBRARIES = (
    "pandas", "lodash", "orjson", "gson", "boto3", "requests", "axios", "jackson", "sqlx", "dayjs",
)  # fmt: skip
_STEMS = (
    "parser", "config", "client", "models", "routes", "worker", "views", "store", "utils",
    "session", "cache", "export",
)  # fmt: skip
_FOLDERS = ("src/api", "src/core", "lib", "tests", "web/app", "services/sync", "pkg/io")
_WORDS = (
    "index", "table", "widget", "cursor", "header", "footer", "token", "batch", "retry", "schema",
    "column", "buffer", "filter", "handler", "wrapper", "adapter", "payload", "digest", "margin",
    "banner", "drawer", "socket", "bucket", "pointer",
)  # fmt: skip


@dataclass
class Planted:
    """A statement that the user made: `stale` if a later one replaced it."""

    rank: str
    text: str
    is_cued: bool = True
    is_stale: bool = False


@dataclass
class Story:
    """A conversation to be told: messages in their order, and what was planted in them."""

    messages: list[tuple[str, str]] = field(default_factory=list)
    planted: list[Planted] = field(default_factory=list)

    def write(self, transcript: Transcript, start: int, stop: int) -> None:
        """Append messages `start` to `stop`, with tool output between them as agents leave it."""
        for number, (speaker, text) in enumerate(self.messages[start:stop], start):
            if speaker == "user":
                transcript.typed(text)
                continue
            if number % 4 == 1:
                transcript.blocks({"type": "tool_use", "name": "Bash", "input": {"command": "ls"}})
                transcript.tool_result("drwxr-xr-x 2 build build 4096 src\n" * 20)
            transcript.answered(text)


def tell(language: str, half: str, messages: int, seed: int) -> Story:
    """One conversation; the same arguments give the same one."""
    chance = random.Random(f"{language} {half} {messages} {seed}")
    bank = phrases.load(language, half)
    story = Story()
    turns = messages // 2
    spoken: dict[int, str] = {}
    _plant_rules(story, bank, chance, spoken, turns)
    _plant_corrected(story, bank, chance, spoken, turns)
    separator = "" if language == "zh" else " "
    for turn in range(turns):
        typed, answered = small_talk_turn(bank, chance, separator)
        story.messages += [("user", spoken[turn]) if turn in spoken else typed, answered]
    return story


def small_talk_turn(
    bank: dict[str, list[str]], chance: random.Random, separator: str
) -> list[tuple[str, str]]:
    """What is typed and answered between the statements that matter."""
    typed = _filled(_small_talk(bank, chance, separator), chance)
    replies = chance.choices(bank["replies"], k=chance.randrange(1, 4))
    answered = separator.join(_filled(reply, chance) for reply in replies)
    return [("user", typed), ("assistant", answered)]


def _small_talk(bank: dict[str, list[str]], chance: random.Random, separator: str) -> str:
    """A set phrase, or, as often, a request put together anew, so that few are said twice."""
    if chance.random() < 0.5:
        return chance.choice(bank["filler"])
    asked = separator.join(chance.choice(bank[part]) for part in ("asks", "things"))
    tails = chance.sample(bank["tails"], k=chance.randrange(3))
    return separator.join([asked, *tails])


def _plant_rules(
    story: Story,
    bank: dict[str, list[str]],
    chance: random.Random,
    spoken: dict[int, str],
    turns: int,
) -> None:
    """Alternately with and without a cue, of each rank alike, then a few of the lower ranks."""
    pools = [
        (rank, not suffix, chance.sample(bank[rank + suffix], len(bank[rank + suffix])))
        for suffix in ("", " uncued")
        for rank in phrases.RULES
    ]
    pools += [(rank, True, chance.sample(bank[rank], len(bank[rank]))[:OTHERS])
              for rank in ("tasks", "evidence")]  # fmt: skip
    rules = 0
    for index in range(max(len(pool) for _, _, pool in pools)):
        for rank, is_cued, pool in pools:
            is_rule = rank in phrases.RULES
            if index >= len(pool) or (is_rule and rules >= PLANTED_MAX):
                continue
            rules += is_rule
            planted = Planted(rank, _filled(pool[index], chance), is_cued)
            story.planted.append(planted)
            spoken[_free(spoken, chance, 0, int(turns * LATEST))] = planted.text


def _plant_corrected(
    story: Story,
    bank: dict[str, list[str]],
    chance: random.Random,
    spoken: dict[int, str],
    turns: int,
) -> None:
    for line in chance.sample(bank["superseded"], min(CORRECTED, len(bank["superseded"]))):
        old, new = _filled(line, chance).split(" => ")
        earlier = _free(spoken, chance, 0, int(turns * 0.7))
        spoken[earlier] = old
        later = _free(spoken, chance, earlier + 1, int(turns * LATEST))
        spoken[later] = new
        story.planted += [Planted("superseded", old, is_stale=True), Planted("superseding", new)]


def _free(spoken: dict[int, str], chance: random.Random, start: int, stop: int) -> int:
    return chance.choice([turn for turn in range(start, stop) if turn not in spoken])


def _filled(template: str, chance: random.Random) -> str:
    """Slots filled at random; the same slot of one line always alike, `{word}` anew each time."""
    names = {
        "{n}": str(chance.randrange(2, 900)),
        "{service}": chance.choice(_SERVICES),
        "{lib}": chance.choice(_LIBRARIES),
        "{file}": f"{chance.choice(_FOLDERS)}/{chance.choice(_STEMS)}.py",
    }
    for slot, value in names.items():
        template = template.replace(slot, value)
    while "{word}" in template:
        template = template.replace("{word}", chance.choice(_WORDS), 1)
    return template


def write_transcript(path: Path, story: Story) -> Transcript:
    """All of a story in one transcript."""
    transcript = Transcript(path)
    story.write(transcript, 0, len(story.messages))
    return transcript
