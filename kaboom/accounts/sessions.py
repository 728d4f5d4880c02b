"""The devices somebody is known on: seen, named, signed out."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from kaboom.accounts import player_queries
from kaboom.accounts import session_queries as store
from kaboom.accounts.names import cleaned
from kaboom.accounts.session_queries import DeviceRow
from kaboom.db.services import Services
from kaboom.db.times import DAY
from kaboom.engine.i18n import say
from kaboom.engine.views import token_of
from kaboom.errors import InvalidState, NotPermitted

LONGEST = 40  # characters and code points of a device's name


@dataclass(frozen=True, slots=True)
class Device:
    """A browser its owner is known by: `word` identifies it in forms, days are times of midnight
    in seconds since 1970.
    """

    word: str
    name: str
    first: float
    last: float
    this: bool


def devices(services: Services, key_hash: str) -> Sequence[Device]:
    """Return the devices of the player with that key, the last seen first."""

    def work(connection: Connection) -> Sequence[DeviceRow]:
        player = player_queries.player(connection, key_hash)
        return store.of_player(connection, player[0]) if player else []

    return [
        Device(
            _word(row),
            row.device,
            row.made_day * DAY,
            row.seen_day * DAY,
            row.key_hash == key_hash,
        )
        for row in services.database.read(work)
    ]


def seen(services: Services, key_hash: str, device: str) -> None:
    """Note that a browser was seen today; `device` is what it is called until it has a name."""
    today = int(services.now() // DAY)
    services.database.write(lambda c: store.seen(c, key_hash, today, device[:LONGEST]))


def call(services: Services, key_hash: str, word: str, name: str) -> None:
    """Give one of one's devices a name. Raises NotPermitted, or InvalidState for an unreadable
    name.
    """
    shown = cleaned(name, LONGEST, LONGEST)
    if not shown:
        raise InvalidState(say("Please give a name that can be read."))

    def work(connection: Connection) -> None:
        store.call(connection, _own(connection, key_hash, word)[1].key_hash, shown)

    services.database.write(work)


def sign_out(services: Services, key_hash: str, word: str) -> bool:
    """Sign one of one's devices out, at once; return whether it was this one. Raises
    NotPermitted.
    """

    def work(connection: Connection) -> tuple[int, bool]:
        player, row = _own(connection, key_hash, word)
        store.sign_out(connection, row.key_hash, store.no_key())
        return player, row.key_hash == key_hash

    player, this = services.database.write(work)
    look_again(services, player)
    return this


def sign_others_out(services: Services, key_hash: str) -> None:
    """Sign all of one's other devices out, at once. Raises NotPermitted for nobody's key."""

    def work(connection: Connection) -> int:
        player = player_queries.player(connection, key_hash)
        if player is None:
            raise NotPermitted(say("This browser is nobody’s."))
        for row in store.of_player(connection, player[0]):
            if row.key_hash != key_hash:
                store.sign_out(connection, row.key_hash, store.no_key())
        return player[0]

    look_again(services, services.database.write(work))


def look_again(services: Services, player: int) -> None:
    """Have every open page of a player's tables look again: a key may be nobody's now."""
    for code in services.database.read(lambda connection: store.tables_of(connection, player)):
        services.signals.changed(code, None)


def _own(connection: Connection, key_hash: str, word: str) -> tuple[int, DeviceRow]:
    player = player_queries.player(connection, key_hash)
    if player is not None:
        for row in store.of_player(connection, player[0]):
            if _word(row) == word:
                return player[0], row
    raise NotPermitted(say("That device is not among yours."))


def _word(row: DeviceRow) -> str:
    return token_of(("device", row.key_hash))
