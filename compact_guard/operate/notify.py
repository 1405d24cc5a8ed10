"""Hand news to a command or an address. Nothing else of compact-guard ever calls out."""

import json
import os
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.client import HTTPException
from typing import Any

from compact_guard.operate.channels import Channels
from compact_guard.operate.news import News

COMMAND_SECONDS_MAX = 30.0  # sending a mail takes seconds; an evaluation must not wait for ever
WEBHOOK_SECONDS_MAX = 10.0
_COMPLAINT_CHARS_MAX = 300


def tell(news: News, channels: Channels) -> list[str]:
    """Tell every channel; returns what went wrong, one sentence each, empty if all is well."""
    return list(_complaints(news, channels))


def _complaints(news: News, channels: Channels) -> Iterator[str]:
    if channels.command:
        try:
            _run(news, channels.command)
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            yield f"the notify command {channels.command[0]} failed: {_short(error)}"
    if channels.webhook:
        try:
            _post(news, channels.webhook)
        except (OSError, ValueError, HTTPException) as error:
            # Without the address: it may hold a secret.
            yield f"the notify webhook failed: {_short(error)}"


def _run(news: News, command: tuple[str, ...]) -> None:
    """The text on standard input, and wherever `{text}`, `{json}`, `{event}`, ... stands."""
    known = {"text": news.text, "json": json.dumps(news.as_json()), "event": news.event}
    known |= {"interface": news.interface, "verdict": news.verdict}
    words = [_filled(word, known) for word in command]
    finished = subprocess.run(
        words,
        input=f"{news.text}\n",
        env=os.environ | {"COMPACT_GUARD_NEWS": known["json"]},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        timeout=COMMAND_SECONDS_MAX,
        check=False,
    )
    if finished.returncode:
        said = " ".join(finished.stderr.split())
        raise ValueError(f"exit status {finished.returncode}{': ' + said if said else ''}")


def _filled(word: str, known: dict[str, str]) -> str:
    """Only what is known is filled in: other braces are the command's own."""
    for name, text in known.items():
        word = word.replace(f"{{{name}}}", text)
    return word


def _post(news: News, address: str) -> None:
    request = urllib.request.Request(
        address,
        data=json.dumps(news.as_json()).encode(),
        headers={"Content-Type": "application/json", "User-Agent": "compact-guard"},
    )
    with _OPENER.open(request, timeout=WEBHOOK_SECONDS_MAX):
        pass


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """What somebody else answers must not decide whom we call."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        """Follow none: the answer is then an error."""


_OPENER = urllib.request.build_opener(_NoRedirects)


def _short(error: Exception) -> str:
    return " ".join(str(error).split())[:_COMPLAINT_CHARS_MAX]
