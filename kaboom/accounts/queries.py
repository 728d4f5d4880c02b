"""SQL statements for credentials: recovery words, password, passkeys."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, delete, exists, insert, select, update

from kaboom.accounts.models import accounts, openid_identities, passkeys, players


class AccountRow(NamedTuple):
    """A player's credentials; missing ones are empty or None."""

    player_id: int
    handle: str
    password: str
    words_hash: str | None
    present: bool


class PasskeyRow(NamedTuple):
    """A passkey: its id in base64url, its public key, and the days it was created and last used."""

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
_kept = exists().where(
    accounts.c.player_id == bindparam("player"),
    accounts.c.words_hash.is_not(None) | (accounts.c.password != ""),
)
_kept_by_key = exists().where(passkeys.c.player_id == bindparam("player"))
_kept_by_openid = exists().where(openid_identities.c.player_id == bindparam("player"))
_has_kept = select(_kept | _kept_by_key | _kept_by_openid)


def of_player(connection: Connection, player: int) -> AccountRow | None:
    """Return a player's credentials, or None."""
    return _row(connection, _of, {"player": player})


def by_look(connection: Connection, look: str) -> AccountRow | None:
    """Return the account with that canonical username, or None."""
    return _row(connection, _by_look, {"looks_like": look})


def by_words(connection: Connection, words_hash: str) -> AccountRow | None:
    """Return the account with that hash of recovery words, or None."""
    return _row(connection, _by_words, {"words": words_hash})


def _row(connection: Connection, statement: Any, values: dict[str, Any]) -> AccountRow | None:
    row = connection.execute(statement, values).first()
    return None if row is None else AccountRow(*row)


def change(connection: Connection, player: int, now: float, **values: Any) -> None:
    """Change some of a player's credentials. Raises IntegrityError if another player has them."""
    if of_player(connection, player) is None:
        none = {"handle": "", "look": None, "password": "", "words_hash": None, "present": False}
        connection.execute(_add, {**none, "player_id": player, "made_at": now})
    connection.execute(_change, {"player": player, **values})


def passkeys_of(connection: Connection, player: int) -> Sequence[PasskeyRow]:
    """Return a player's passkeys, oldest first."""
    return [PasskeyRow(*row) for row in connection.execute(_passkeys_of, {"player": player})]


def passkey(connection: Connection, credential: str) -> PasskeyRow | None:
    """Return the passkey with that id, or None."""
    row = connection.execute(_passkey_by_id, {"id": credential}).first()
    return None if row is None else PasskeyRow(*row)


def add_passkey(connection: Connection, row: PasskeyRow) -> None:
    """Store a passkey. Raises IntegrityError if its id exists."""
    connection.execute(_add_passkey, row._asdict())


def used(connection: Connection, credential: str, day: int) -> None:
    """Record the day on which a passkey was used."""
    connection.execute(_used, {"id": credential, "day": day})


def drop_passkey(connection: Connection, player: int, credential: str) -> None:
    """Delete one of a player's passkeys."""
    connection.execute(_drop_passkey, {"id": credential, "player": player})


def name_of(connection: Connection, player: int) -> str:
    """Return a player's name."""
    return connection.execute(_name, {"player": player}).scalar() or ""


def has_kept(connection: Connection, player: int | None) -> bool:
    """Return True if a player has recovery words, a password, a passkey or an OpenID identity."""
    return bool(connection.execute(_has_kept, {"player": player}).scalar())
