"""PreCompact, where the person chose it: ask the agent's own summary for what it likes to drop."""

from compact_guard.hook import reply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from compact_guard.agents.contract import HookAdapter

# Not longer than limits.PRESERVE_CHARS_MAX, by test.
TEXT = """\
Give the summary a section of its own, "Rejected alternatives". One entry for each option that was \
weighed or tried in this conversation and not taken: what the option was; the concrete reason \
against it, with the number, the error message or the constraint as it was stated; what was chosen \
instead; and what would have to change before it is worth another look. Take over the entries of \
earlier summaries that still hold. Invent none: without such an option there is no such section. \
This comes on top of every other instruction for the summary and replaces none of them."""


def ask(adapter: "HookAdapter") -> None:
    """Print it, also where no checkpoint could be saved: then all the more. Raises nothing."""
    asked = adapter.render_request(TEXT)
    try:
        if asked is not None:
            reply.write(asked)
    except OSError:
        return  # what the hook saved is worth more than a line that nobody reads
