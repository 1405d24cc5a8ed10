"""How Claude Code can be attached, for people. Facts: README.md."""

AGENT = "claude-code"
INTERFACES = {
    "claude-code/anthropic": "Claude Code, with Anthropic's own API",
    "claude-code/gateway": "Claude Code, with its models behind a gateway or a cloud's API",
}
