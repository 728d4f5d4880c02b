"""What is sent to a player's own address, in the shape its receiver reads.

Discord   docs.discord.com/developers/resources/webhook: `content`, Markdown
Slack     docs.slack.dev/messaging/formatting-message-text: `text`, three characters escaped
ntfy      docs.ntfy.sh/publish: the text itself, the rest in headers
Matrix    matrix-org.github.io/matrix-hookshot/latest/setup/webhooks: `text`, and `html`
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.header import Header
from html import escape
from typing import Any
from urllib.parse import urlsplit

from kaboom.engine.i18n import mark

PLAIN = "json"
NO_PREVIEW = 4  # Discord shows none of the page behind the link


@dataclass(frozen=True, slots=True)
class News:
    """What there is to tell: the sentence, the name of the game and the link to the table."""

    text: str
    game: str
    link: str


@dataclass(frozen=True, slots=True)
class Message:
    """A body to be posted, and the headers that say how to read it."""

    body: bytes
    headers: Mapping[str, str]


def plain(news: News) -> Message:
    """Return the news as JSON of our own: table, game, text."""
    return _json({"table": news.link, "game": news.game, "text": news.text})


def discord(news: News) -> Message:
    """Return the news for a webhook of Discord; nobody is mentioned, whatever a name says."""
    text = re.sub(r"([\\*_~`|<>()\[\]#:@-])", r"\\\1", f"{news.game}: {news.text}")
    content = f"{text}\n{news.link}"
    return _json({"content": content, "allowed_mentions": {"parse": []}, "flags": NO_PREVIEW})


def slack(news: News) -> Message:
    """Return the news for a webhook of Slack, which Mattermost and Rocket.Chat read too."""
    text = escape(f"{news.game}: {news.text}\n{news.link}", quote=False)
    return _json({"text": text, "unfurl_links": False})


def ntfy(news: News) -> Message:
    """Return the news for a topic of ntfy; pressing the notification opens the table."""
    headers = {
        "Content-Type": "text/plain; charset=utf-8",
        "Title": _header(news.game),
        "Click": _header(news.link),
    }
    return Message(f"{news.text}\n{news.link}".encode(), headers)


def matrix(news: News) -> Message:
    """Return the news for a webhook of Matrix's hookshot."""
    html = f'{escape(news.game)}: <a href="{escape(news.link)}">{escape(news.text)}</a>'
    return _json({"text": f"{news.game}: {news.text}\n{news.link}", "html": html})


# The names of the services whose shapes we know.
SERVICES = {
    "discord": mark("Discord"),
    "slack": mark("Slack (also Mattermost, Rocket.Chat)"),
    "ntfy": mark("ntfy"),
    "matrix": mark("Matrix (hookshot)"),
    "json": mark("plain JSON: table, game, text"),
}

SHAPES: dict[str, Callable[[News], Message]] = {
    "discord": discord,
    "slack": slack,
    "ntfy": ntfy,
    "matrix": matrix,
    PLAIN: plain,
}


def shape_of(address: str) -> str:
    """Return the shape for an address by its host; plain JSON when we do not know it."""
    parts = urlsplit(address)
    host = (parts.hostname or "").lower()
    if host == "hooks.slack.com":
        return "slack"
    if host in ("discord.com", "discordapp.com") or host.endswith(".discord.com"):
        # Discord takes Slack's shape at an address of its own.
        return "slack" if parts.path.rstrip("/").endswith("/slack") else "discord"
    labels = host.split(".")
    if "ntfy" in labels:
        return "ntfy"
    return "matrix" if "hookshot" in labels else PLAIN


def message(news: News, address: str, shape: str = "") -> Message:
    """Return what is posted to an address, in the shape chosen, else in the address's own."""
    return SHAPES[shape or shape_of(address)](news)


def _json(value: Mapping[str, Any]) -> Message:
    return Message(json.dumps(value).encode(), {"Content-Type": "application/json"})


def _header(text: str) -> str:
    return text if text.isascii() else Header(text, "utf-8", maxlinelen=1000).encode()
