"""Coming in on another device: by words, by handle and password, by a passkey or a one-use link.

Who shows that an account is theirs is admitted with a fresh key. Where somebody else is known in
the browser already, they are asked first (`Arrival`).
"""

import json
import secrets
import time
from dataclasses import dataclass

from sqlalchemy import Connection

from kaboom.accounts import player_queries, session_queries
from kaboom.accounts import queries as store
from kaboom.accounts import token_queries as offers
from kaboom.accounts.credentials import known, look_of
from kaboom.accounts.names import cleaned
from kaboom.accounts.passwords import fits
from kaboom.accounts.recovery_codes import COUNT, hash_of_words, read_words
from kaboom.accounts.sessions import look_again
from kaboom.accounts.token_queries import Offer
from kaboom.db.encryption import hash_of
from kaboom.db.ids import new_secret
from kaboom.db.services import Services
from kaboom.engine.i18n import say
from kaboom.engine.moves import Refusal
from kaboom.errors import RateLimited
from kaboom.web import attempt_queries as tries
from kaboom.web.attempt_queries import Limit

LINK_MINUTES = 10
IN_A_QUARTER = 10  # wrong tries from one address
QUARTER, HOUR = 900.0, 3600.0  # seconds
PATIENT_FOR = 3  # wrong tries at a handle in an hour, before the next ones are slowed down
LONGEST_DELAY = 4.0  # seconds
UNREACHED = 1_000_000_000  # wrong tries: a handle is slowed down by them and never locked

# Of a password nobody has: checked where there is no such handle, so that both take the same.
NOBODYS = (
    "$argon2id$v=19$m=19456,t=3,p=1$0tqlIIIHFQLQcbWbnTYVkg"
    "$4r14hx85xdSG0INSR9p2/yaiok1noTjYjZK5/X+/bl0"
)


class WrongCredentials(Refusal):
    """These words, or this handle with this password, open no account."""

    status = 403


class LinkExpired(Refusal):
    """The one-use link has been used, is too old, or never was one."""

    status = 410


@dataclass(frozen=True, slots=True)
class Arrival:
    """Somebody has shown that an account is theirs, in a browser in which `other` is known.

    The secret lets them in once. `brings`: what `other` has here can come along.
    """

    secret: str
    name: str
    other: str
    brings: bool


def by_words(services: Services, text: str, address: str) -> int:
    """Return the player whose nine words these are. Raises WrongCredentials or RateLimited."""
    words = read_words(text[:1000])
    limit = _of_address(address)
    _require_below_limit(services, limit)
    if words is not None and len(words) == COUNT:
        hashed = hash_of_words(words)
        found = services.database.read(lambda connection: store.by_words(connection, hashed))
        if found is not None:
            return found.player_id
    _count(services, limit)
    raise WrongCredentials(say("Those are nobody’s nine words. Check each of them."))


def by_password(services: Services, handle: str, password: str, address: str) -> int:
    """Return the player with that handle and password.

    Raises WrongCredentials, the same and as late for a wrong handle as for a wrong password; after
    some wrong ones at a handle each answer comes later, whoever asks, but it is never locked.
    Raises RateLimited.
    """
    look = look_of(cleaned(handle, 100))
    mine, of_handle = _of_address(address), _of_handle(look)
    _require_below_limit(services, mine)
    _count_before(services, mine)
    now = services.now()
    wrong_before = services.database.read(lambda c: tries.made(c, of_handle, now))
    found = services.database.read(lambda connection: store.by_look(connection, look))
    stored = found.password if found is not None and found.password else NOBODYS
    time.sleep(delay(wrong_before))
    wrong = False
    try:
        fitting = services.hash_aside(fits, stored, password)
        wrong = not fitting or found is None or stored == NOBODYS
    finally:
        if not wrong:  # or not judged at all
            services.database.write(lambda connection: tries.give_back(connection, [mine]))
    if wrong or found is None:
        _count(services, of_handle)
        raise WrongCredentials(say("That handle and password do not belong together."))
    return found.player_id


def delay(wrong_before: int) -> float:
    """Return how many seconds an answer waits after so many wrong ones at the same handle."""
    over = wrong_before - PATIENT_FOR
    return 0.0 if over < 0 else min(LONGEST_DELAY, 0.25 * 2 ** min(over, 9))


def _of_address(address: str) -> Limit:
    return Limit(hash_of(f"in {address}"), IN_A_QUARTER, QUARTER)


def _of_handle(look: str) -> Limit:
    return Limit(hash_of(f"handle {look}"), UNREACHED, HOUR)


def _require_below_limit(services: Services, limit: Limit) -> None:
    now = services.now()
    if services.database.read(lambda c: tries.reached(c, [limit], now)) is not None:
        raise _too_often()


def _count_before(services: Services, limit: Limit) -> None:
    """Count a try that is still to be judged: when many come at once they must not all be. Raises
    RateLimited, and then nothing is counted.
    """
    now = services.now()

    def work(connection: Connection) -> None:
        if tries.count(connection, [limit], now) is not None:
            raise _too_often()

    services.database.write(work)


def _count(services: Services, limit: Limit) -> None:
    """Count a try that was wrong; a limit that is reached meanwhile is noticed next time."""
    now = services.now()
    services.database.write(lambda connection: tries.count(connection, [limit], now))


def _too_often() -> RateLimited:
    return RateLimited(say("Too many wrong tries. Please wait a quarter of an hour."))


# A link for another device


def new_link(services: Services, key_hash: str) -> str:
    """Return the secret of a one-use link that lets another device in. Raises NotPermitted."""
    secret = new_secret()

    def work(connection: Connection) -> None:
        made = Offer("device", known(connection, key_hash), "", services.now() + LINK_MINUTES * 60)
        offers.add(connection, hash_of(secret), made)

    services.database.write(work)
    return secret


def name_on_link(services: Services, secret: str) -> str:
    """Return whom a one-use link lets in, without using it. Raises LinkExpired."""

    def work(connection: Connection) -> str:
        found = offers.find(connection, hash_of(secret), "device", services.now())
        if found is None:
            raise _gone()
        return store.name_of(connection, found.made_by)

    return services.database.read(work)


def by_link(services: Services, secret: str) -> int:
    """Use a one-use link up; return the player it lets in. Raises LinkExpired."""
    return _used(services, secret, "device").made_by


def _used(services: Services, secret: str, kind: str) -> Offer:
    def work(connection: Connection) -> Offer:
        found = offers.find(connection, hash_of(secret), kind, services.now())
        if found is None or not offers.use(connection, hash_of(secret)):
            raise _gone()
        return found

    return services.database.write(work)


# Being admitted


def arrive(services: Services, player: int, key_hash: str, new_key_hash: str) -> Arrival | None:
    """Let a player in with a fresh key. Where somebody else is known in the browser (`key_hash` is
    its key so far), let nobody in yet, but return what is to be asked.
    """

    def work(connection: Connection) -> Arrival | None:
        other = player_queries.player(connection, key_hash)
        if other is None or other[0] == player:
            if other is not None:  # its old key is replaced
                session_queries.sign_out(connection, key_hash, session_queries.no_key())
            player_queries.add_key(connection, new_key_hash, player, services.now())
            return None
        secret = secrets.token_urlsafe(24)
        made = Offer("in", player, json.dumps(key_hash), services.now() + LINK_MINUTES * 60)
        offers.add(connection, hash_of(secret), made)
        brings = not store.has_kept(connection, other[0])
        return Arrival(secret, store.name_of(connection, player), other[1], brings)

    return services.database.write(work)


def come_in(services: Services, secret: str, key_hash: str, new_key_hash: str) -> None:
    """Let in whoever was asked (`Arrival`), and let the browser's old key lead to nobody.

    Raises LinkExpired, also in another browser than the one that was asked.
    """

    def work(connection: Connection) -> int | None:
        player = confirmed(services, connection, secret, key_hash)
        other = player_queries.player(connection, key_hash)
        session_queries.sign_out(connection, key_hash, session_queries.no_key())
        player_queries.add_key(connection, new_key_hash, player, services.now())
        return other and other[0]

    left = services.database.write(work)
    if left is not None:
        look_again(services, left)


def renew(services: Services, key_hash: str, new_key_hash: str) -> None:
    """Give a browser a fresh key; the old one is nobody's. Raises NotPermitted."""

    def work(connection: Connection) -> None:
        player = known(connection, key_hash)
        session_queries.sign_out(connection, key_hash, session_queries.no_key())
        player_queries.add_key(connection, new_key_hash, player, services.now())

    services.database.write(work)


def confirmed(services: Services, connection: Connection, secret: str, key_hash: str) -> int:
    """Use up what an Arrival was asked with; return the player it lets in. Raises LinkExpired."""
    found = offers.find(connection, hash_of(secret), "in", services.now())
    if found is None or json.loads(found.about) != key_hash:
        raise _gone()
    offers.use(connection, hash_of(secret))
    return found.made_by


def _gone() -> LinkExpired:
    return LinkExpired(
        say("This link has been used or is too old. Make a new one on the other device.")
    )
