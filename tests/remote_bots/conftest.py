"""A bot that answers at an https address, and tables it is invited to."""

import http.server
import ipaddress
import json
import ssl
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import pytest

from kaboom.accounts import players
from kaboom.remote_bots import service
from kaboom.web.outgoing.url_policy import UrlPolicy
from tests.support.receivers import NAME, certificate

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
    made = certificate(tmp_path, NAME)

    class Answer(http.server.BaseHTTPRequestHandler):
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

        def log_message(self, *_: Any) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(made)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    port = server.server_address[1]
    policy = UrlPolicy(
        allowed=lambda ip: ipaddress.ip_address(ip).is_loopback,
        ports=frozenset({port}),
        look_up=lambda host, port: ["127.0.0.1"],
        trust=ssl.create_default_context(cafile=str(made)),
        seconds=PATIENCE,
    )
    found = BotServer(policy, f"https://{NAME}:{port}/play", first_move)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield found
    server.shutdown()
    server.server_close()
    thread.join(5)


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
