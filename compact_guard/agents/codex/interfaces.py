"""How Codex can be attached, for people. Facts: README.md."""

AGENT = "codex"
INTERFACES = {
    "codex/cli": "Codex in a terminal or a script",
    "codex/desktop": "Codex's desktop app",
    "codex/other": "Codex's app server, with a client that is not its desktop app",
}
