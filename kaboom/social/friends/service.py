"""Friends, by a one-use link or a press after a match; blocks, which hold at once everywhere.

A block acts in the transaction that would let somebody through, so no worker can be behind. Nobody
is told whether they are blocked: what they ask is taken, and nobody sees it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from kaboom.accounts import player_queries
from kaboom.accounts import queries as accounts
from kaboom.accounts import token_queries as offers
from kaboom.accounts.credentials import known
from kaboom.accounts.login import LinkExpired
from kaboom.accounts.token_queries import Offer
from kaboom.db.encryption import hash_of
from kaboom.db.ids import new_secret
from kaboom.db.times import DAY
from kaboom.engine.i18n import say
from kaboom.engine.views import token_of
from kaboom.errors import InvalidState, NotPermitted
from kaboom.social.friends import queries as store
from kaboom.tables.access.service import let_in_where
from kaboom.tables.permissions import require_host
from kaboom.tables.service import Tables
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.table import Table
from kaboom.tables.transaction import TableTransaction

LINK_DAYS = 7
MOST_FRIENDS = 200
MOST_ASKS = 3  # of one player, unanswered


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody in a list: `word` identifies them in forms. `player` never leaves the server."""

    word: str
    name: str
    player: int
    friend: bool = False
    asked: bool = False
    blocked: bool = False
    present: bool = False  # lets friends see when they are here


@dataclass(frozen=True, slots=True)
class Circle:
    """A player's friends, who would be one, and who is blocked."""

    friends: Sequence[Person]
    asking: Sequence[Person]
    blocked: Sequence[Person]
    present: bool  # friends see when the player is here


def circle(tables: Tables, key_hash: str) -> Circle | None:
    """Return whom the player with that key knows; None for nobody's key."""

    def work(connection: Connection) -> Circle | None:
        player = player_queries.player(connection, key_hash)
        if player is None:
            return None
        me = player[0]
        account = accounts.of_player(connection, me)
        return Circle(
            [
                Person(_word(me, row.id), row.name, row.id, friend=True, present=row.present)
                for row in store.friends_of(connection, me, MOST_FRIENDS)
            ],
            [_person(me, row) for row in store.asked_by(connection, me, MOST_FRIENDS)],
            [_person(me, row) for row in store.blocked_by(connection, me, MOST_FRIENDS)],
            account is not None and account.present,
        )

    return tables.database.read(work)


def _person(me: int, row: tuple[int, str]) -> Person:
    return Person(_word(me, row[0]), row[1], row[0])


def _word(me: int, other: int) -> str:
    return token_of(("person", me, other))


def name_of(tables: Tables, key_hash: str) -> str:
    """Return what the player with that key is called; empty for nobody's key."""
    found = tables.database.read(lambda c: player_queries.player(c, key_hash))
    return found[1] if found else ""


# By a link


def new_link(tables: Tables, key_hash: str) -> str:
    """Return the secret of a one-use link that makes a friend. Raises NotPermitted."""
    secret = new_secret()

    def work(connection: Connection) -> None:
        me = known(connection, key_hash)
        made = Offer("friend", me, "", tables.now() + LINK_DAYS * DAY)
        offers.add(connection, hash_of(secret), made)

    tables.database.write(work)
    return secret


def name_on_link(tables: Tables, secret: str, key_hash: str) -> str:
    """Return whose friend a link makes one, without using it. Raises LinkExpired."""

    def work(connection: Connection) -> str:
        player = player_queries.player(connection, key_hash)
        return accounts.name_of(
            connection, _offered(tables, connection, secret, player and player[0])
        )

    return tables.database.read(work)


def take_link(tables: Tables, secret: str, player: int) -> None:
    """Make a player a friend of whoever made the link. Raises LinkExpired, or InvalidState for
    oneself.
    """

    def work(connection: Connection) -> None:
        other = _offered(tables, connection, secret, player)
        if other == player:
            raise InvalidState(say("This link is for somebody else: send it to a friend."))
        if not offers.use(connection, hash_of(secret)):
            raise _gone()
        _befriend(tables, connection, player, other)

    tables.database.write(work)


def _offered(tables: Tables, connection: Connection, secret: str, player: int | None) -> int:
    found = offers.find(connection, hash_of(secret), "friend", tables.now())
    if found is None:
        raise _gone()
    if player is not None and _across(connection, player, found.made_by):
        raise _gone()  # as if it were used: nobody is told of a block
    return found.made_by


def _gone() -> LinkExpired:
    return LinkExpired(say("This link has been used or is too old. Ask your friend for a new one."))


def _across(connection: Connection, one: int, two: int) -> bool:
    """Say whether there is a block between two players."""
    return store.blocks_player(connection, one, two) or store.blocks_player(connection, two, one)


def _befriend(tables: Tables, connection: Connection, me: int, other: int) -> None:
    for player in (me, other):
        if len(store.friends_of(connection, player, MOST_FRIENDS)) >= MOST_FRIENDS:
            raise InvalidState(say("There are {most} friends already.", most=MOST_FRIENDS))
    store.befriend(connection, me, other, tables.now())


# At a table


def people_at(tables: Tables, snapshot: TableSnapshot) -> Sequence[Person]:
    """Return the people one sits or sat with at a table: on its chairs, and in its last match.

    Raises NotPermitted for anybody who did neither.
    """

    def work(connection: Connection) -> Sequence[Person]:
        table, me = snapshot.table, snapshot.player
        names = {chair.player: chair.name for _, chair in table.sitting() if chair.player}
        for seat, player in store.played(connection, table.match_id) if table.match_id else ():
            names.setdefault(player, table.seats[seat] if seat < len(table.seats) else "")
        if me is None or me not in names:
            raise NotPermitted(say("Only those who play here see who they play with."))
        if table.host == me:
            away = [player for player in table.shown_out if player not in names]
            names |= store.names(connection, away)
        return [
            Person(
                _word(me, player),
                name,
                player,
                friend=store.are_friends(connection, me, player),
                asked=store.asked(connection, me, player),
                blocked=store.blocks_player(connection, me, player),
            )
            for player, name in names.items()
            if player != me
        ]

    return tables.database.read(work)


def person_at(tables: Tables, snapshot: TableSnapshot, word: str) -> Person:
    """Return somebody at a table by the word from people_at. Raises NotPermitted."""
    for person in people_at(tables, snapshot):
        if person.word == word:
            return person
    raise NotPermitted(say("There is nobody like that here."))


def welcome(tables: Tables, code: str, player: int, guest: int) -> None:
    """Let somebody the host removed sit down again; the host only. Raises NotPermitted."""

    def work(transaction: TableTransaction) -> None:
        require_host(transaction.table, player)
        kept = [other for other in transaction.table.shown_out if other != guest]
        transaction.table.shown_out = kept

    tables.change(code, work)


def enter_as_friend(tables: Tables, code: str, key_hash: str) -> None:
    """Let in a friend of the host where that is enough. Raises TableNotFound, or NotPermitted."""

    def is_open(connection: Connection, table: Table, player: int) -> bool:
        return table.friends and _is_friend(connection, player, table.host)

    otherwise = say("This table is open to friends of the host, and to the password.")
    let_in_where(tables, code, key_hash, is_open, otherwise)


def is_friend(tables: Tables, key_hash: str, other: int) -> bool:
    """Say whether the player with that key is another's friend."""

    def work(connection: Connection) -> bool:
        player = player_queries.player(connection, key_hash)
        return player is not None and _is_friend(connection, player[0], other)

    return tables.database.read(work)


def _is_friend(connection: Connection, me: int, other: int) -> bool:
    return store.are_friends(connection, me, other) and not _across(connection, me, other)


# Asking, answering, blocking


def ask(tables: Tables, me: int, other: int) -> None:
    """Ask somebody to be friends; who is asked already answers by it. Raises InvalidState."""

    def work(connection: Connection) -> None:
        if store.blocks_player(connection, me, other):
            raise InvalidState(say("You have blocked them. Unblock them first."))
        if store.are_friends(connection, me, other) or store.asked(connection, me, other):
            return
        if store.asked(connection, other, me) and not _across(connection, me, other):
            _befriend(tables, connection, me, other)
            return
        if store.open_asks(connection, me) >= MOST_ASKS:
            raise InvalidState(
                say("You have asked {most} people who have not answered yet.", most=MOST_ASKS)
            )
        store.ask(connection, me, other, tables.now())

    tables.database.write(work)


def answer(tables: Tables, key_hash: str, word: str, yes: bool) -> None:
    """Answer somebody who asked to be friends. Raises NotPermitted, InvalidState."""

    def work(connection: Connection) -> None:
        me = known(connection, key_hash)
        other = _found(me, word, store.asked_by(connection, me, MOST_FRIENDS))
        if yes:
            _befriend(tables, connection, me, other)
        else:
            store.drop_ask(connection, other, me)

    tables.database.write(work)


def part(tables: Tables, key_hash: str, word: str) -> None:
    """Be friends with somebody no longer; they are not told. Raises NotPermitted."""

    def work(connection: Connection) -> None:
        me = known(connection, key_hash)
        rows = store.friends_of(connection, me, MOST_FRIENDS)
        store.unfriend(connection, me, _found(me, word, [(row.id, row.name) for row in rows]))

    tables.database.write(work)


def block(tables: Tables, me: int, other: int) -> None:
    """Block somebody, at once and everywhere; friendship ends, and they are not told."""
    tables.database.write(lambda c: store.block(c, me, other, tables.now()))


def block_known(tables: Tables, key_hash: str, word: str) -> None:
    """Block a friend, or somebody who asked to be one. Raises NotPermitted."""

    def work(connection: Connection) -> None:
        me = known(connection, key_hash)
        rows = [(row.id, row.name) for row in store.friends_of(connection, me, MOST_FRIENDS)]
        rows += store.asked_by(connection, me, MOST_FRIENDS)
        store.block(connection, me, _found(me, word, rows), tables.now())

    tables.database.write(work)


def unblock(tables: Tables, key_hash: str, word: str) -> None:
    """Block somebody no longer. Raises NotPermitted."""

    def work(connection: Connection) -> None:
        me = known(connection, key_hash)
        rows = store.blocked_by(connection, me, MOST_FRIENDS)
        store.unblock(connection, me, _found(me, word, rows))

    tables.database.write(work)


def be_seen(tables: Tables, key_hash: str, present: bool) -> None:
    """Let friends see when one is here, or not. Raises NotPermitted."""

    def work(connection: Connection) -> None:
        accounts.change(connection, known(connection, key_hash), tables.now(), present=present)

    tables.database.write(work)


def _found(me: int, word: str, rows: Sequence[tuple[int, str]]) -> int:
    for player, _ in rows:
        if _word(me, player) == word:
            return player
    raise NotPermitted(say("There is nobody like that here."))
