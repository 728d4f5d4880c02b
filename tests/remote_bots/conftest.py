"""A bot that answers at an https address, and tables it is invited to."""

import json
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import pytest

from kaboom.accounts import players
from kaboom.remote_bots import service
from kaboom.web.outgoing.url_policy import UrlPolicy
from tests.support.receivers import QuietHandler, serving_https

PATIENCE = 1.5  # the bot's time limit in seconds; a machine may be busy


@dataclass
class BotServer:
    """A bot's server: its received requests, and the function that answers (bytes, or a raw
    answer).
    """

    url_policy: UrlPolicy
    address: str
    answer: Any
    asked: list[tuple[dict[str, str], bytes]] = field(default_factory=list)

    @property
    def messages(self):
        return [json.loads(body) for _headers, body in self.asked]


def first_move(message):
    """Answer with the first move that the table lists."""
    if message["do"] == "hello":
        return message["word"].encode()
    move = message["table"]["moves"][0]
    some = move["some"][0] if move["least"] else []
    return " ".join([move["verb"], *some]).encode()


@pytest.fixture
def bot_server(tmp_path):
    """A server with TLS that plays the first move."""

    class Answer(QuietHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            found.asked.append((dict(self.headers), body))
            said = found.answer(json.loads(body))
            if isinstance(said, tuple):
                with suppress(OSError):  # the client hung up
                    self.wfile.write(said[0])
                return
            self.send_response(200)
            self.send_header("Content-Length", str(len(said)))
            self.end_headers()
            with suppress(OSError):  # the client hung up
                self.wfile.write(said)

    with serving_https(tmp_path, Answer, PATIENCE) as (policy, url):
        found = BotServer(policy, f"{url}/play", first_move)
        yield found


@pytest.fixture
def robo(bot_server):
    """Return a function that registers a checked bot of a player, and returns its number."""

    def made(tables, owner, name="Robo"):
        number, _secret = service.add(
            tables, owner, name, bot_server.address, bot_server.url_policy
        )
        assert service.check(tables, owner, number, bot_server.url_policy).what == "moved"
        return number

    return made


def person(tables, name):
    return players.player(tables, f"key of {name}", name)[0]
