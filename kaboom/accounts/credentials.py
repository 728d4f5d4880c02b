"""Account credentials: which of them a player has, and the username and password. They are
optional; playing never requires an account.

Recovery words are in recovery_words.py, passkeys in passkeys.py, and sign-in in login.py.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sqlalchemy import Connection

from kaboom.accounts import player_queries
from kaboom.accounts import queries as store
from kaboom.accounts.names import cleaned, fits, skeleton
from kaboom.accounts.openid import queries as identities
from kaboom.accounts.passwords import slow_hash_of, typed
from kaboom.db.services import Services
from kaboom.engine.graphemes import characters
from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Refusal
from kaboom.errors import InvalidState, NotPermitted

SHORTEST = 10  # characters of a password
HANDLE = (3, 24)  # characters of a username
COMMON = Path(__file__).with_name("wordlists") / "common-passwords.txt"
LONGEST_LOOK = 80  # code points, because some single characters look like a whole sentence


class UsernameTaken(Refusal):
    """Another player has a username that looks like this one."""

    status = 409


@dataclass(frozen=True, slots=True)
class Kept:
    """A player's credentials; missing ones are empty."""

    name: str
    handle: str
    password: bool
    words: bool
    passkeys: Sequence[store.PasskeyRow] = ()
    openid: bool = False


def kept(services: Services, key_hash: str) -> Kept | None:
    """Return the credentials of the player with that key; None for an unknown key."""

    def work(connection: Connection) -> Kept | None:
        player = player_queries.player(connection, key_hash)
        if player is None:
            return None
        row = store.of_player(connection, player[0])
        passkeys = store.passkeys_of(connection, player[0])
        openid = identities.has(connection, player[0])
        handle = row.handle if row else ""
        password, words = bool(row and row.password), bool(row and row.words_hash)
        return Kept(player[1], handle, password, words, passkeys, openid)

    return services.database.read(work)


# Username and password


def keep_by_password(
    services: Services, key_hash: str, handle: str, password: str, again: str
) -> None:
    """Set the player's username and password.

    Raises NotPermitted, InvalidState with a message, UsernameTaken, or RateLimited.
    """
    shown, text = cleaned(handle, HANDLE[1] + 1), typed(password)
    look = canonical_username(shown)
    short = fits(shown, HANDLE[1]) and len(look) <= LONGEST_LOOK
    if not short or len(characters(shown)) < HANDLE[0]:
        raise InvalidState(
            _("A username must have {least} to {most} characters.", least=HANDLE[0], most=HANDLE[1])
        )
    if (sentence := why_weak(text, shown)) is not None:
        raise InvalidState(sentence)
    if text != typed(again):
        raise InvalidState(_("The passwords do not match."))
    services.database.read(lambda connection: known(connection, key_hash))  # before it is hashed
    hashed = services.hash_in_thread(slow_hash_of, text)

    def work(connection: Connection) -> None:
        player = known(connection, key_hash)
        other = store.by_look(connection, look)
        if other is not None and other.player_id != player:
            raise UsernameTaken(
                _("That username is taken or too similar to another one. Choose another.")
            )
        store.change(connection, player, services.now(), handle=shown, look=look, password=hashed)

    services.database.write(work)


def drop_password(services: Services, key_hash: str) -> None:
    """Remove the player's username and password. Raises NotPermitted."""

    def work(connection: Connection) -> None:
        player = known(connection, key_hash)
        store.change(connection, player, services.now(), handle="", look=None, password="")

    services.database.write(work)


def why_weak(password: str, handle: str) -> str | None:
    """Return the reason why a password is too weak, or None."""
    plain = password.casefold()
    if len(password) < SHORTEST:
        return _("A password needs at least {least} characters.", least=SHORTEST)
    if plain in common_passwords() or len(set(plain)) < 4:
        return _("That password is too common, so it is easy to guess. Choose another.")
    if plain.replace(handle.casefold(), "") != plain and len(plain) < len(handle) + SHORTEST:
        return _("Your username is in that password. Choose another.")
    return None


@cache
def common_passwords() -> frozenset[str]:
    """Return common passwords that are long enough to be accepted here."""
    return frozenset(COMMON.read_text().splitlines())


def canonical_username(handle: str) -> str:
    """Return the canonical form of a username, which is unique."""
    return skeleton(unicodedata.normalize("NFKC", handle).casefold())


def known(connection: Connection, key_hash: str) -> int:
    """Return the id of the player with that key. Raises NotPermitted."""
    player = player_queries.player(connection, key_hash)
    if player is None:
        raise NotPermitted(_("This browser is new here. Take a seat at a table, or enter a name."))
    return player[0]
