"""The devices on which a player is signed in: list, rename, sign out."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from kaboom.accounts import hooks, player_queries
from kaboom.accounts import session_queries as store
from kaboom.accounts.names import cleaned
from kaboom.accounts.session_queries import DeviceRow
from kaboom.db.services import Services
from kaboom.db.times import DAY
from kaboom.engine.i18n import gettext as _
from kaboom.engine.views import token_of
from kaboom.errors import InvalidState, NotPermitted
from kaboom.features import load_hooks

LONGEST = 40  # characters and code points of a device's name


@dataclass(frozen=True, slots=True)
class Device:
    """A browser on which a player is signed in.

    `word` identifies it in forms. Days are given as seconds since 1970, at midnight.
    """

    word: str
    name: str
    first: float
    last: float
    this: bool


def devices(services: Services, key_hash: str) -> Sequence[Device]:
    """Return the devices of the player with that session key, most recently seen first."""

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
    """Record that a browser was seen today; `device` is its default name."""
    today = int(services.now() // DAY)
    services.database.write(lambda c: store.seen(c, key_hash, today, device[:LONGEST]))


def call(services: Services, key_hash: str, word: str, name: str) -> None:
    """Rename one of the player's devices. Raises NotPermitted, or InvalidState for a name without
    visible characters.
    """
    shown = cleaned(name, LONGEST, LONGEST)
    if not shown:
        raise InvalidState(_("A name needs at least one visible character."))

    def work(connection: Connection) -> None:
        store.call(connection, _own(connection, key_hash, word)[1].key_hash, shown)

    services.database.write(work)


def sign_out(services: Services, key_hash: str, word: str) -> bool:
    """Sign out one of the player's devices; return True if it was this one. Raises NotPermitted."""

    def work(connection: Connection) -> tuple[int, bool]:
        player, row = _own(connection, key_hash, word)
        store.sign_out(connection, row.key_hash)
        return player, row.key_hash == key_hash

    player, this = services.database.write(work)
    refresh_pages(services, player)
    return this


def sign_others_out(services: Services, key_hash: str) -> None:
    """Sign out all other devices of the player. Raises NotPermitted for an unknown key."""

    def work(connection: Connection) -> int:
        player = player_queries.player(connection, key_hash)
        if player is None:
            raise NotPermitted(_("This browser is not signed in."))
        for row in store.of_player(connection, player[0]):
            if row.key_hash != key_hash:
                store.sign_out(connection, row.key_hash)
        return player[0]

    refresh_pages(services, services.database.write(work))


def refresh_pages(services: Services, player: int) -> None:
    """Refresh all open pages of a player, because a key may have been revoked."""
    load_hooks()
    for refresh in hooks.after_key_change:
        refresh(services, player)


def _own(connection: Connection, key_hash: str, word: str) -> tuple[int, DeviceRow]:
    player = player_queries.player(connection, key_hash)
    if player is not None:
        for row in store.of_player(connection, player[0]):
            if _word(row) == word:
                return player[0], row
    raise NotPermitted(_("That is not one of your devices."))


def _word(row: DeviceRow) -> str:
    return token_of(("device", row.key_hash))
