"""Tools' outputs are passed over by a look at their ends, and nothing said goes with them."""

import pytest

from compact_guard.agents.claude_code import hook as claude_code
from compact_guard.agents.codex import hook as codex
from compact_guard.hook import conversation, transcript
from compact_guard.hook.transcript import Transcript
from tests.bench.hook_transcripts import KINDS

ADAPTERS = {"claude-code": claude_code, "codex": codex}
OUTPUT = 'the path "a/b" {}\n' * 2_000
SHORT = "done"


class Everything:
    """An adapter that passes over no line."""

    def __init__(self, adapter):
        self._adapter = adapter

    def __getattr__(self, name):
        return getattr(self._adapter, name)

    def is_output(self, chunk, start, stop):
        return False


@pytest.fixture(params=ADAPTERS)
def agent(request):
    return request.param


@pytest.fixture
def story(agent, tmp_path):
    return KINDS[agent](tmp_path / "rollout-a.jsonl").prompt("never touch port 1")


def said_in(story, adapter) -> list[str]:
    read = conversation.read(Transcript(str(story.path)), adapter, 0)
    return [message.text for message in read.messages]


def glued(story) -> None:
    """The newest two lines in one."""
    head, last = story.path.read_bytes()[:-1].rsplit(b"\n", 1)
    story.path.write_bytes(head + last + b"\n")


@pytest.fixture(params=[97, 5_000, 1 << 18])
def chunk(request, monkeypatch):
    monkeypatch.setattr(transcript, "CHUNK_BYTES", request.param)


@pytest.mark.usefixtures("chunk")
@pytest.mark.parametrize("output", [SHORT, OUTPUT])
@pytest.mark.parametrize("is_glued", [False, True])
def test_what_is_said_beside_an_output_is_read(agent, story, output, is_glued):
    story.used_a_tool(output * 2)
    glued(story) if is_glued else None
    story.used_a_tool(output * 2).prompt("use port 2 instead")
    glued(story) if is_glued else None

    adapter = ADAPTERS[agent]
    assert said_in(story, adapter) == ["use port 2 instead", "never touch port 1"]
    assert said_in(story, Everything(adapter)) == said_in(story, adapter)


def test_a_whole_output_is_passed_over(agent, story):
    line = story.used_a_tool(OUTPUT).path.read_bytes().splitlines()[-1]
    around = b"x\n" + line + b"\ny"

    assert ADAPTERS[agent].is_output(around, 2, 2 + len(line))


def test_words_about_outputs_are_no_output(agent, story):
    text = '{"type":"tool_result"} and "response_item" and "function_call_output" are marks'
    story.prompt(text)
    line = story.path.read_bytes().splitlines()[-1]

    assert not ADAPTERS[agent].is_output(line, 0, len(line))
    assert said_in(story, ADAPTERS[agent])[0] == text
