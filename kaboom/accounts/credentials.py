"""Keeping one's seat: recovery words, or a handle and a password. Nothing in play asks for it.

Passkeys are in passkeys.py, coming in on another device in coming_in.py.
"""

import json
import secrets
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import Connection

from kaboom.accounts import player_queries
from kaboom.accounts import queries as store
from kaboom.accounts import token_queries as offers
from kaboom.accounts.names import cleaned, fits, skeleton
from kaboom.accounts.passwords import slow_hash_of, typed
from kaboom.accounts.recovery_codes import (
    COUNT,
    DATA,
    hash_of_words,
    new_words,
    read_words,
)
from kaboom.accounts.token_queries import Offer
from kaboom.db.encryption import hash_of
from kaboom.db.services import Services
from kaboom.engine.graphemes import characters
from kaboom.engine.i18n import say
from kaboom.engine.moves import Refusal
from kaboom.errors import InvalidState, NotPermitted

ENOUGH = 3  # finished matches after which it is offered
ASKED_BACK = 3  # of the nine words
WORDS_FOR = 1800.0  # seconds to try what was written down
SHORTEST = 10  # characters of a password
HANDLE = (3, 24)  # characters
LONGEST_LOOK = 80  # code points: some signs look like a whole sentence


class UsernameTaken(Refusal):
    """Somebody else has a handle that looks like this one."""

    status = 409


@dataclass(frozen=True, slots=True)
class Kept:
    """How somebody comes in on another device; empty is what they have not got."""

    name: str
    handle: str
    password: bool
    words: bool
    passkeys: Sequence[store.PasskeyRow] = ()


def kept(services: Services, key_hash: str) -> Kept | None:
    """Return how the player with that key comes in elsewhere; None for nobody's key."""

    def work(connection: Connection) -> Kept | None:
        player = player_queries.player(connection, key_hash)
        if player is None:
            return None
        row = store.of_player(connection, player[0])
        passkeys = store.passkeys_of(connection, player[0])
        if row is None:
            return Kept(player[1], "", False, False, passkeys)
        return Kept(player[1], row.handle, bool(row.password), bool(row.words_hash), passkeys)

    return services.database.read(work)


def could_keep(services: Services, player: int, over_days: bool = False) -> bool:
    """Say whether a player should be told that a seat can be kept: now it would be a loss. Who
    plays over days may well come back with another device, and is told at once.
    """
    return services.database.read(lambda c: store.could_keep(c, player, 0 if over_days else ENOUGH))


# Nine words


def new_recovery_words(services: Services, key_hash: str) -> list[str]:
    """Return nine fresh words, which hold from now on, and those from before no longer. For half an
    hour three of them are asked back from whoever wants to try what they wrote. Raises
    NotPermitted.
    """
    words = new_words()
    chosen = sorted(secrets.SystemRandom().sample(range(COUNT), ASKED_BACK))
    hashed = hash_of_words(words)
    about = {
        "hash": hashed,
        "asked": chosen,
        "three": _of_three(hashed, [words[n] for n in chosen]),
    }

    def work(connection: Connection) -> None:
        player = known(connection, key_hash)
        made = Offer("words", player, json.dumps(about), services.now() + WORDS_FOR)
        offers.add(connection, _words_of(player), made)
        store.change(connection, player, services.now(), words_hash=hashed)

    services.database.write(work)
    return words


def asked_back(services: Services, key_hash: str) -> Sequence[int]:
    """Return which words are asked back, counted from 1. Raises NotPermitted, or InvalidState for
    none.
    """

    def work(connection: Connection) -> Sequence[int]:
        about, _ = _pending(services, connection, key_hash)
        return [number + 1 for number in about["asked"]]

    return services.database.read(work)


def try_words(services: Services, key_hash: str, three: Sequence[str]) -> None:
    """Raise InvalidState unless those are the words that were asked back, once; raises
    NotPermitted, too.
    """
    found = read_words(" ".join(three))

    def work(connection: Connection) -> None:
        about, player = _pending(services, connection, key_hash)
        if found is None or _of_three(about["hash"], found) != about["three"]:
            raise InvalidState(say("Those are not the words that were asked for. Look again."))
        offers.use(connection, _words_of(player))

    services.database.write(work)


def _pending(
    services: Services, connection: Connection, key_hash: str
) -> tuple[dict[str, Any], int]:
    player = known(connection, key_hash)
    found = offers.find(connection, _words_of(player), "words", services.now())
    if found is None:
        raise InvalidState(
            say("There are no words to try. Make new ones if you are not sure of yours.")
        )
    about: dict[str, Any] = json.loads(found.about)
    return about, player


def _words_of(player: int) -> str:
    """Return where a player's new words wait: there is one set at a time."""
    return hash_of(f"words {player}")


def _of_three(hashed: str, three: Sequence[str]) -> str:
    return hash_of_words([hashed, *three])


# Handle and password


def keep_by_password(
    services: Services, key_hash: str, handle: str, password: str, again: str
) -> None:
    """Let a handle and a password open the player's account.

    Raises NotPermitted, InvalidState with a sentence about what is wrong, Taken, or RateLimited.
    """
    shown, text = cleaned(handle, HANDLE[1] + 1), typed(password)
    look = look_of(shown)
    short = fits(shown, HANDLE[1]) and len(look) <= LONGEST_LOOK
    if not short or len(characters(shown)) < HANDLE[0]:
        raise InvalidState(
            say("A handle has {least} to {most} characters.", least=HANDLE[0], most=HANDLE[1])
        )
    if (sentence := why_weak(text, shown)) is not None:
        raise InvalidState(sentence)
    if text != typed(again):
        raise InvalidState(say("The two passwords are not the same."))
    services.database.read(lambda connection: known(connection, key_hash))  # before it is hashed
    hashed = services.hash_aside(slow_hash_of, text)

    def work(connection: Connection) -> None:
        player = known(connection, key_hash)
        other = store.by_look(connection, look)
        if other is not None and other.player_id != player:
            raise UsernameTaken(
                say("That handle is taken, or looks like one that is. Choose another.")
            )
        store.change(connection, player, services.now(), handle=shown, look=look, password=hashed)

    services.database.write(work)


def drop_password(services: Services, key_hash: str) -> None:
    """Let handle and password open nothing any more. Raises NotPermitted."""

    def work(connection: Connection) -> None:
        player = known(connection, key_hash)
        store.change(connection, player, services.now(), handle="", look=None, password="")

    services.database.write(work)


def why_weak(password: str, handle: str) -> str | None:
    """Return in a sentence why a password is too easily guessed, or None when it is not."""
    plain = password.casefold()
    if len(password) < SHORTEST:
        return say("A password needs {least} characters or more.", least=SHORTEST)
    if plain in common_passwords() or len(set(plain)) < 4:
        return say("Many people use that password, so it is tried first. Choose another.")
    if plain.replace(handle.casefold(), "") != plain and len(plain) < len(handle) + SHORTEST:
        return say("Your handle is in that password. Choose another.")
    return None


@cache
def common_passwords() -> frozenset[str]:
    """Return passwords many people use, those that are long enough to be chosen here."""
    return frozenset((DATA / "common-passwords.txt").read_text().split("\n"))


def look_of(handle: str) -> str:
    """Return what a handle looks like: no two people have the same."""
    return skeleton(unicodedata.normalize("NFKC", handle).casefold())


def known(connection: Connection, key_hash: str) -> int:
    """Return the player with that key. Raises NotPermitted."""
    player = player_queries.player(connection, key_hash)
    if player is None:
        raise NotPermitted(say("There is nothing to keep in this browser yet: play first."))
    return player[0]
