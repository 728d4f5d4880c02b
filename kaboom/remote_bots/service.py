"""The use cases of remote bots, for authors, players and the server."""

import secrets
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection

from kaboom.accounts import player_queries
from kaboom.accounts.names import require_readable_name
from kaboom.engine.i18n import gettext as _
from kaboom.errors import InvalidState, NotPermitted, invalid_field
from kaboom.lobby import service as lobby
from kaboom.remote_bots import calling
from kaboom.remote_bots import queries as store
from kaboom.remote_bots.calling import Answer
from kaboom.remote_bots.queries import BotRow, CallRow
from kaboom.tables.permissions import require_seat
from kaboom.tables.service import TableService
from kaboom.tables.snapshot import TableSnapshot
from kaboom.web.idempotency.service import IdempotencyKey, write_once
from kaboom.web.outgoing.url_policy import NotAllowed, UrlPolicy, checked

MOST = 5  # bots per author
LISTED = 30  # bots listed for an invitation
CHANGES = {
    "pause": {"paused": True},
    "resume": {"paused": False},
    "share": {"shared": True},
    "keep": {"shared": False},
}


def mine(tables: TableService, owner: int) -> Sequence[BotRow]:
    """Return an author's bots."""
    return tables.database.read(lambda c: store.of_owner(c, owner))


def invitable(tables: TableService, player: int) -> Sequence[BotRow]:
    """Return the bots that a player may invite to a table."""
    return tables.database.read(lambda c: store.invitable(c, player, LISTED))


def bot_of(tables: TableService, owner: int, number: int) -> BotRow:
    """Return a bot of this author. Raises NotPermitted if there is none."""
    found = tables.database.read(lambda c: store.bot(c, number))
    return _require_own(found, owner)


def calls_of(tables: TableService, bot: BotRow) -> Sequence[CallRow]:
    """Return a bot's last calls."""
    return tables.database.read(lambda c: store.calls(c, bot.id))


def add(
    tables: TableService,
    owner: int,
    name: str,
    address: str,
    url_policy: UrlPolicy,
    idempotency_key: IdempotencyKey | None = None,
) -> tuple[int, str]:
    """Store a bot; return its id and its signing secret, which is shown only once.

    The bot is not called until `check` succeeds. Raises InvalidState or InvalidFields.
    """
    name, address = require_readable_name(name, "bot_name"), address.strip()
    try:
        checked(address, url_policy)
    except NotAllowed as no:
        raise invalid_field("address", _(str(no))) from None
    now = tables.now()

    def made(connection: Connection) -> str:
        if store.count(connection, owner) >= MOST:
            raise InvalidState(_("You already have {most} bots. Delete one first.", most=MOST))
        secret = secrets.token_urlsafe(32)
        no_key = secrets.token_hex(32)  # the hash of no key
        values: dict[str, Any] = {
            "owner_id": owner,
            "player_id": player_queries.add_player(connection, no_key, name, now),
            "name": name,
            "address": address,
            "secret": secret.encode(),
            "shared": False,
            "paused": False,
            "made_at": now,
        }
        return f"{store.add(connection, values)} {secret}"

    found = write_once(tables.database, idempotency_key, now, made)
    number, _unused, secret = found.partition(" ")
    return int(number), secret


def check(tables: TableService, owner: int, number: int, url_policy: UrlPolicy) -> Answer:
    """Send a hello to a bot's endpoint, and enable the bot if the response is correct.

    Raises NotPermitted.
    """
    bot = bot_of(tables, owner, number)
    answer, now = calling.hello(bot, url_policy), tables.now()

    def work(connection: Connection) -> None:
        if store.bot(connection, number, lock=True) is None:
            return
        row = CallRow(now, "", answer.what, answer.seconds, answer.detail[:200])
        store.note_call(connection, number, row)
        if answer.what == "moved":
            store.change(connection, number, {"checked_at": now})

    tables.database.write(work)
    return answer


def change(tables: TableService, owner: int, number: int, what: str) -> None:
    """Pause or resume a bot, share it or make it private; `what` is a key of CHANGES. Raises
    NotPermitted.
    """

    def work(connection: Connection) -> None:
        _require_own(store.bot(connection, number, lock=True), owner)
        store.change(connection, number, CHANGES[what])

    tables.database.write(work)


def delete(tables: TableService, owner: int, number: int) -> None:
    """Delete a bot; its seats become those of an absent player. Raises NotPermitted."""

    def work(connection: Connection) -> None:
        _require_own(store.bot(connection, number, lock=True), owner)
        store.drop(connection, number)

    tables.database.write(work)


def invite(tables: TableService, code: str, player: int, number: int) -> TableSnapshot:
    """Seat a bot at a table where the player sits. Raises NotPermitted or InvalidState.

    The seat is stored before the bot sits down, so that the bot is called even if this process is
    killed in between. It is stored again afterwards, because a worker may have deleted the seat of
    a bot that did not sit there yet.
    """
    snapshot = tables.get(code)
    require_seat(snapshot.table, player)
    bot = tables.database.read(lambda c: store.bot(c, number))
    if bot is None or not (bot.shared or bot.owner_id == player):
        raise NotPermitted(_("There is no such bot, or it is not yours to invite."))
    if bot.paused or bot.checked_at is None:
        raise InvalidState(_("This bot is paused, or its URL has not been checked."))
    name = f"{bot.owner} ({bot.name})"
    tables.database.write(lambda c: store.note_seat(c, number, code))
    found = lobby.sit(tables, code, bot.player_id, name, program=True)
    tables.database.write(lambda c: store.note_seat(c, number, code))
    return found


def _require_own(bot: BotRow | None, owner: int) -> BotRow:
    if bot is None or bot.owner_id != owner:
        raise NotPermitted(_("You have no such bot."))
    return bot
