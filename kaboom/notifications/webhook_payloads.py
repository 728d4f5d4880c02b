"""The messages sent to a player's webhook, in the format that its service expects.

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

from kaboom.engine.i18n import gettext_noop as N_

PLAIN = "json"
NO_PREVIEW = 4  # Discord shows no preview of the linked page


@dataclass(frozen=True, slots=True)
class News:
    """The contents of a notification: the sentence, the name of the game and the link to
    the table.
    """

    text: str
    game: str
    link: str


@dataclass(frozen=True, slots=True)
class Message:
    """A body to be posted, and the headers that describe its format."""

    body: bytes
    headers: Mapping[str, str]


def plain(news: News) -> Message:
    """Return the news as JSON in Kaboom's own format: table, game, text."""
    return _json({"table": news.link, "game": news.game, "text": news.text})


def discord(news: News) -> Message:
    """Return the payload of a Discord webhook; it mentions no user, whatever a name contains."""
    text = re.sub(r"([\\*_~`|<>()\[\]#:@-])", r"\\\1", f"{news.game}: {news.text}")
    content = f"{text}\n{news.link}"
    return _json({"content": content, "allowed_mentions": {"parse": []}, "flags": NO_PREVIEW})


def slack(news: News) -> Message:
    """Return the news for a Slack webhook; Mattermost and Rocket.Chat also accept this format."""
    text = escape(f"{news.game}: {news.text}\n{news.link}", quote=False)
    return _json({"text": text, "unfurl_links": False})


def ntfy(news: News) -> Message:
    """Return the news for an ntfy topic; tapping the notification opens the table."""
    headers = {
        "Content-Type": "text/plain; charset=utf-8",
        "Title": _header(news.game),
        "Click": _header(news.link),
    }
    return Message(f"{news.text}\n{news.link}".encode(), headers)


def matrix(news: News) -> Message:
    """Return the news for a Matrix hookshot webhook."""
    html = f'{escape(news.game)}: <a href="{escape(news.link)}">{escape(news.text)}</a>'
    return _json({"text": f"{news.game}: {news.text}\n{news.link}", "html": html})


# The names of the services whose formats are known.
SERVICES = {
    "discord": N_("Discord"),
    "slack": N_("Slack (also Mattermost, Rocket.Chat)"),
    "ntfy": N_("ntfy"),
    "matrix": N_("Matrix (hookshot)"),
    "json": N_("plain JSON: table, game, text"),
}

SHAPES: dict[str, Callable[[News], Message]] = {
    "discord": discord,
    "slack": slack,
    "ntfy": ntfy,
    "matrix": matrix,
    PLAIN: plain,
}


def shape_of(address: str) -> str:
    """Return the format for a URL, by its host; plain JSON for an unknown host."""
    parts = urlsplit(address)
    host = (parts.hostname or "").lower()
    if host == "hooks.slack.com":
        return "slack"
    if host in ("discord.com", "discordapp.com") or host.endswith(".discord.com"):
        # Discord accepts Slack's format at a separate URL.
        return "slack" if parts.path.rstrip("/").endswith("/slack") else "discord"
    labels = host.split(".")
    if "ntfy" in labels:
        return "ntfy"
    return "matrix" if "hookshot" in labels else PLAIN


def message(news: News, address: str, shape: str = "") -> Message:
    """Return the message to be posted to a URL, in the chosen format or else that of its host."""
    return SHAPES[shape or shape_of(address)](news)


def _json(value: Mapping[str, Any]) -> Message:
    return Message(json.dumps(value).encode(), {"Content-Type": "application/json"})


def _header(text: str) -> str:
    return text if text.isascii() else Header(text, "utf-8", maxlinelen=1000).encode()
