"""Statements for the ways somebody comes in on another device: words, password, passkeys."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, delete, exists, func, insert, select, update

from kaboom.db.models import accounts, matches, parts, passkeys, players


class AccountRow(NamedTuple):
    """How a player signs in; what they do not have is empty or None."""

    player_id: int
    handle: str
    password: str
    words_hash: str | None
    present: bool


class PasskeyRow(NamedTuple):
    """A passkey: its id in base64url, what it signs with, and the days it was made and used."""

    credential: str
    player_id: int
    public_key: bytes
    label: str
    made_day: int
    used_day: int


_account = select(*(accounts.c[name] for name in AccountRow._fields))
_of = _account.where(accounts.c.player_id == bindparam("player"))
_by_look = _account.where(accounts.c.look == bindparam("looks_like"))
_by_words = _account.where(accounts.c.words_hash == bindparam("words"))
_add = insert(accounts)
_change = update(accounts).where(accounts.c.player_id == bindparam("player"))
_passkey = select(*(passkeys.c[name] for name in PasskeyRow._fields))
_passkeys_of = _passkey.where(passkeys.c.player_id == bindparam("player")).order_by(
    passkeys.c.made_day, passkeys.c.credential
)
_passkey_by_id = _passkey.where(passkeys.c.credential == bindparam("id"))
_add_passkey = insert(passkeys)
_used = (
    update(passkeys)
    .where(passkeys.c.credential == bindparam("id"))
    .values(used_day=bindparam("day"))
)
_drop_passkey = delete(passkeys).where(
    passkeys.c.credential == bindparam("id"), passkeys.c.player_id == bindparam("player")
)
_name = select(players.c.name).where(players.c.id == bindparam("player"))
_finished = (
    select(parts.c.match_id)
    .join(matches, matches.c.id == parts.c.match_id)
    .where(parts.c.player_id == bindparam("player"), matches.c.ended_at.is_not(None))
    .limit(bindparam("enough"))
    .subquery()
)
_kept = exists().where(
    accounts.c.player_id == bindparam("player"),
    accounts.c.words_hash.is_not(None) | (accounts.c.password != ""),
)
_kept_by_key = exists().where(passkeys.c.player_id == bindparam("player"))
_could_keep = select(func.count(), _kept | _kept_by_key).select_from(_finished)
_has_kept = select(_kept | _kept_by_key)


def of_player(connection: Connection, player: int) -> AccountRow | None:
    """Return how a player comes in, if there is anything."""
    return _row(connection, _of, {"player": player})


def by_look(connection: Connection, look: str) -> AccountRow | None:
    """Return whose handle looks like that."""
    return _row(connection, _by_look, {"looks_like": look})


def by_words(connection: Connection, words_hash: str) -> AccountRow | None:
    """Return whose recovery words have that hash."""
    return _row(connection, _by_words, {"words": words_hash})


def _row(connection: Connection, statement: Any, values: dict[str, Any]) -> AccountRow | None:
    row = connection.execute(statement, values).first()
    return None if row is None else AccountRow(*row)


def change(connection: Connection, player: int, now: float, **values: Any) -> None:
    """Set some of what a player comes in by; raises IntegrityError when another has it."""
    if of_player(connection, player) is None:
        none = {"handle": "", "look": None, "password": "", "words_hash": None, "present": False}
        connection.execute(_add, {**none, "player_id": player, "made_at": now})
    connection.execute(_change, {"player": player, **values})


def passkeys_of(connection: Connection, player: int) -> Sequence[PasskeyRow]:
    """Return a player's passkeys, the oldest first."""
    return [PasskeyRow(*row) for row in connection.execute(_passkeys_of, {"player": player})]


def passkey(connection: Connection, credential: str) -> PasskeyRow | None:
    """Return the passkey with that id."""
    row = connection.execute(_passkey_by_id, {"id": credential}).first()
    return None if row is None else PasskeyRow(*row)


def add_passkey(connection: Connection, row: PasskeyRow) -> None:
    """Store a passkey; raises IntegrityError when there is one with that id."""
    connection.execute(_add_passkey, row._asdict())


def used(connection: Connection, credential: str, day: int) -> None:
    """Note on which day a passkey was used."""
    connection.execute(_used, {"id": credential, "day": day})


def drop_passkey(connection: Connection, player: int, credential: str) -> None:
    """Forget one of a player's passkeys."""
    connection.execute(_drop_passkey, {"id": credential, "player": player})


def name_of(connection: Connection, player: int) -> str:
    """Return what a player is called."""
    return connection.execute(_name, {"player": player}).scalar() or ""


def has_kept(connection: Connection, player: int | None) -> bool:
    """Say whether somebody has a way in on another device: words, a password or a passkey."""
    return bool(connection.execute(_has_kept, {"player": player}).scalar())


def could_keep(connection: Connection, player: int, matches: int) -> bool:
    """Say whether a player has finished so many matches and has no way in on another device."""
    count, kept = connection.execute(_could_keep, {"player": player, "enough": matches}).one()
    return count >= matches and not kept
