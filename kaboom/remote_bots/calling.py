"""Signed HTTP calls (webhooks) to a remote bot. They are made outside any transaction."""

import hashlib
import json
import secrets
import time
from typing import Any, NamedTuple

from kaboom.engine.engine import random_move
from kaboom.engine.game import Game
from kaboom.engine.moves import Move, Refusal
from kaboom.engine.rng import Rng
from kaboom.engine.views import Prompt
from kaboom.remote_bots.bot_table import LONGEST, PROTOCOL, move_of, table_json
from kaboom.remote_bots.queries import BotRow
from kaboom.remote_bots.signature import signed_headers
from kaboom.tables.snapshot import TableSnapshot
from kaboom.web.outgoing.http_client import JSON, Failed, post_and_read
from kaboom.web.outgoing.url_policy import NotAllowed, UrlPolicy


class Answer(NamedTuple):
    """The result of a call.

    `what` is a key of texts.RESULTS, and `detail` is the response or the error. `move` is None if
    the bot passes or made none.
    """

    what: str
    detail: str
    seconds: float
    move: Move | None = None


def hello(bot: BotRow, url_policy: UrlPolicy) -> Answer:
    """Call an endpoint to verify that it is a bot: it must return the word that it is sent."""
    word = secrets.token_urlsafe(16)
    found = _asked(bot, {"do": "hello", "protocol": PROTOCOL, "word": word}, url_policy)
    if found.what == "moved" and not secrets.compare_digest(found.detail.encode(), word.encode()):
        return found._replace(what="lied")
    return found


def decide(bot: BotRow, snapshot: TableSnapshot, prompt: Prompt, url_policy: UrlPolicy) -> Answer:
    """Ask a bot for its move. It receives its seat's view and nothing else about the table."""
    game, state, table = snapshot.game, snapshot.state, snapshot.table
    options = table.options_of(game)
    listeners = list(snapshot.position.listeners)
    rng = Rng(secrets.token_bytes(32), 0, "some")
    message = {
        "do": "choose",
        "protocol": PROTOCOL,
        "match": match_of(snapshot.code, table.match),
        "left": url_policy.seconds,
        "table": table_json(game, options, len(table.seats), state, prompt, listeners, rng),
    }
    found = _asked(bot, message, url_policy)
    if found.what != "moved":
        return found
    try:
        move = move_of(found.detail, game, state, prompt, listeners)
    except Refusal as no:
        return found._replace(what="lied", detail=f"{found.detail[:100]}: {no}")
    return found._replace(what="passed") if move is None else found._replace(move=move)


def match_of(code: str, match: int) -> str:
    """Return an opaque id of a match for the bot, which does not reveal the table."""
    return hashlib.sha256(f"kaboom match {code} {match}".encode()).hexdigest()[:16]


def any_move(game: Game[Any], state: Any, prompt: Prompt) -> Move | None:
    """Return a random move that the table waits for, or None if none was found."""
    rng = Rng(secrets.token_bytes(32), 0, "instead")
    verbs = {offer.verb for offer in prompt.offers if offer.blocks}
    for _ in range(1000):
        move = random_move(game, state, prompt.seat, rng)
        if move is None or move.verb in verbs:
            return move
    return None


def _asked(bot: BotRow, message: dict[str, Any], url_policy: UrlPolicy) -> Answer:
    body, began = json.dumps(message).encode(), time.monotonic()
    headers = {**JSON, **signed_headers(bot.secret, int(time.time()), body)}
    try:
        said = post_and_read(bot.address, body, url_policy, headers, LONGEST)
    except NotAllowed as no:
        return Answer("refused", str(no), time.monotonic() - began)
    except Failed as no:
        return Answer("failed", str(no)[:200], time.monotonic() - began)
    line = said.decode(errors="replace").strip()
    return Answer("moved", line, time.monotonic() - began)
