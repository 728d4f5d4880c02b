"""Nine recovery words, written on paper, that sign a player in on another device.

They are from a list of 2,048 words and have 99 bits of entropy, so one fast hash is enough.
"""

import json
import re
import secrets
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from kaboom.accounts import login, login_limits, token_queries
from kaboom.accounts import queries as store
from kaboom.accounts.credentials import known
from kaboom.accounts.token_queries import Offer
from kaboom.db.encryption import hash_of
from kaboom.db.services import Services
from kaboom.engine.i18n import gettext as _
from kaboom.errors import InvalidState

COUNT = 9
BEGINNING = 4  # letters that distinguish the words of the list
ASKED_BACK = 3  # number of words to repeat
WORDS_FOR = 1800.0  # seconds to check the words that were written down

WORDS = Path(__file__).with_name("wordlists") / "words.txt"


@cache
def all_words() -> tuple[str, ...]:
    """Return the word list, in order."""
    return tuple(WORDS.read_text().split())


@cache
def _by_beginning() -> dict[str, str]:
    return {word[:BEGINNING]: word for word in all_words()}


def new_words() -> list[str]:
    """Return nine random words from the operating system's generator."""
    return [secrets.choice(all_words()) for _unused in range(COUNT)]


def read_words(text: str) -> list[str] | None:
    """Return the words a player typed, as spelled in the list; None if one is not in the list.

    Case, numbers, commas, line breaks and all letters after the fourth are ignored.
    """
    typed = re.findall(r"[a-z]+", text.casefold())
    found = [_by_beginning().get(word[:BEGINNING]) for word in typed]
    words = [word for word in found if word is not None]
    return words if words and len(words) == len(found) else None


def hash_of_words(words: Sequence[str]) -> str:
    """Return the hash of the words to store."""
    return hash_of(f"kaboom/words/v1|{' '.join(words)}")


def create(services: Services, key_hash: str) -> list[str]:
    """Return nine new recovery words, which replace the previous ones.

    For half an hour the player can check three of them. Raises NotPermitted.
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
        token_queries.add(connection, _secret_of(player), made)
        store.change(connection, player, services.now(), words_hash=hashed)

    services.database.write(work)
    return words


def asked_back(services: Services, key_hash: str) -> Sequence[int]:
    """Return the positions of the words to repeat, counted from 1.

    Raises NotPermitted, or InvalidState if no words are pending.
    """

    def work(connection: Connection) -> Sequence[int]:
        about, _unused = _pending(services, connection, key_hash)
        return [number + 1 for number in about["asked"]]

    return services.database.read(work)


def check(services: Services, key_hash: str, three: Sequence[str]) -> None:
    """Check the repeated words. Raises NotPermitted, or InvalidState if they are wrong or no words
    are pending.
    """
    found = read_words(" ".join(three))

    def work(connection: Connection) -> None:
        about, player = _pending(services, connection, key_hash)
        if found is None or _of_three(about["hash"], found) != about["three"]:
            raise InvalidState(_("Those are not the right words. Please check them."))
        token_queries.use(connection, _secret_of(player))

    services.database.write(work)


def _pending(
    services: Services, connection: Connection, key_hash: str
) -> tuple[dict[str, Any], int]:
    player = known(connection, key_hash)
    found = token_queries.find(connection, _secret_of(player), "words", services.now())
    if found is None:
        raise InvalidState(
            _("There are no words to check. Create new ones if you are not sure of yours.")
        )
    about: dict[str, Any] = json.loads(found.about)
    return about, player


def _secret_of(player: int) -> str:
    """Return what stands for the secret of a player's pending words. There is one set at a time."""
    return f"words {player}"


def _of_three(hashed: str, three: Sequence[str]) -> str:
    return hash_of_words([hashed, *three])


def sign_in(services: Services, text: str, address: str) -> int:
    """Return the id of the player with these nine recovery words. Raises WrongCredentials or
    RateLimited.
    """
    words = read_words(text[:1000])
    limit = login_limits.of_address(address)
    login_limits.require_below_limit(services, limit)
    if words is not None and len(words) == COUNT:
        hashed = hash_of_words(words)
        found = services.database.read(lambda connection: store.by_words(connection, hashed))
        if found is not None:
            return found.player_id
    login_limits.count(services, limit)
    raise login.WrongCredentials(_("Those nine words are not right. Check each one."))
