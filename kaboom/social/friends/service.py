"""Friends, by a one-use link or a button at a table; blocks, which apply at once everywhere.

A block acts in the transaction that would let a player through, so every worker applies it. Blocked
players are not notified: their requests appear to succeed, but are hidden.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from kaboom.accounts import player_queries, token_queries
from kaboom.accounts import queries as accounts
from kaboom.accounts.credentials import known
from kaboom.accounts.login import LinkExpired
from kaboom.accounts.token_queries import Offer
from kaboom.db.ids import new_secret
from kaboom.db.times import DAY
from kaboom.engine.i18n import gettext as _
from kaboom.engine.views import token_of
from kaboom.errors import InvalidState, NotPermitted
from kaboom.social.friends import queries as store
from kaboom.social.friends.queries import FriendRow
from kaboom.tables.access.service import let_in_where
from kaboom.tables.service import TableService
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.table import Table

LINK_DAYS = 7
MOST_FRIENDS = 200
MOST_ASKS = 3  # unanswered requests of one player


@dataclass(frozen=True, slots=True)
class Person:
    """A player in a list; `word` identifies them in forms. `player` never leaves the server."""

    word: str
    name: str
    player: int
    friend: bool = False
    asked: bool = False
    blocked: bool = False
    present: bool = False  # lets friends see when they are here


@dataclass(frozen=True, slots=True)
class Relations:
    """A player's friends, friend requests and blocks."""

    friends: Sequence[Person]
    asking: Sequence[Person]
    blocked: Sequence[Person]
    present: bool  # friends see when the player is here


def get_relations(tables: TableService, key_hash: str) -> Relations | None:
    """Return the relations of the player with that key; None for an unknown key."""

    def work(connection: Connection) -> Relations | None:
        player = player_queries.player(connection, key_hash)
        if player is None:
            return None
        me = player[0]
        account = accounts.of_player(connection, me)
        return Relations(
            [
                Person(word_of(me, row.id), row.name, row.id, friend=True, present=row.present)
                for row in store.friends_of(connection, me, MOST_FRIENDS)
            ],
            [_person(me, row) for row in store.asked_by(connection, me, MOST_FRIENDS)],
            [_person(me, row) for row in store.blocked_by(connection, me, MOST_FRIENDS)],
            account is not None and account.present,
        )

    return tables.database.read(work)


def _person(me: int, row: tuple[int, str]) -> Person:
    return Person(word_of(me, row[0]), row[1], row[0])


def word_of(me: int, other: int) -> str:
    """Return the word that identifies another player in a player's forms."""
    return token_of(("person", me, other))


# By a link


def new_link(tables: TableService, key_hash: str) -> str:
    """Return the secret of a one-use link that makes a friend. Raises NotPermitted."""
    secret = new_secret()

    def work(connection: Connection) -> None:
        me = known(connection, key_hash)
        made = Offer("friend", me, "", tables.now() + LINK_DAYS * DAY)
        token_queries.add(connection, secret, made)

    tables.database.write(work)
    return secret


def name_on_link(tables: TableService, secret: str, key_hash: str) -> str:
    """Return the name of the player who made a friend link, without using up the link. Raises
    LinkExpired.
    """

    def work(connection: Connection) -> str:
        player = player_queries.player(connection, key_hash)
        return accounts.name_of(
            connection, _offered(tables, connection, secret, player and player[0])
        )

    return tables.database.read(work)


def take_link(tables: TableService, secret: str, player: int) -> None:
    """Make a player a friend of the link's creator. Raises LinkExpired, or InvalidState for the
    creator or if either has too many friends.
    """

    def work(connection: Connection) -> None:
        other = _offered(tables, connection, secret, player)
        if other == player:
            raise InvalidState(_("This is your own link: send it to a friend."))
        if not token_queries.use(connection, secret):
            raise _gone()
        _befriend(tables, connection, player, other)

    tables.database.write(work)


def _offered(tables: TableService, connection: Connection, secret: str, player: int | None) -> int:
    found = token_queries.find(connection, secret, "friend", tables.now())
    if found is None:
        raise _gone()
    if player is not None and _across(connection, player, found.made_by):
        raise _gone()  # as if the link had been used: blocks are not revealed
    return found.made_by


def _gone() -> LinkExpired:
    return LinkExpired(_("This link has been used or has expired. Ask your friend for a new one."))


def _across(connection: Connection, one: int, two: int) -> bool:
    """Return True if there is a block between two players."""
    return store.blocks_player(connection, one, two) or store.blocks_player(connection, two, one)


def _befriend(tables: TableService, connection: Connection, me: int, other: int) -> None:
    for player in (me, other):
        if len(store.friends_of(connection, player, MOST_FRIENDS)) >= MOST_FRIENDS:
            raise InvalidState(
                _("One of you already has {most} friends, which is the maximum.", most=MOST_FRIENDS)
            )
    store.befriend(connection, me, other, tables.now())


# At a table


def people_at(tables: TableService, snapshot: TableSnapshot) -> Sequence[Person]:
    """Return the people at a table: those in its seats, and those of its last match.

    Raises NotPermitted if the player is not one of them.
    """

    def work(connection: Connection) -> Sequence[Person]:
        table, me = snapshot.table, snapshot.player
        names = {
            occupant.player: occupant.name
            for _unused, occupant in table.sitting()
            if occupant.player
        }
        for seat, player in store.played(connection, table.match_id) if table.match_id else ():
            names.setdefault(player, table.seats[seat] if seat < len(table.seats) else "")
        if me is None or me not in names:
            raise NotPermitted(
                _("Only players at this table, or in its last match, can open this page.")
            )
        if table.host == me:
            away = [player for player in table.shown_out if player not in names]
            names |= store.names(connection, away)
        relations = store.relations(connection, me, names)
        return [
            Person(word_of(me, player), name, player, **relations[player]._asdict())
            for player, name in names.items()
            if player != me
        ]

    return tables.database.read(work)


def person_at(tables: TableService, snapshot: TableSnapshot, word: str) -> Person:
    """Return the player at a table whom a word from people_at identifies. Raises NotPermitted."""
    for person in people_at(tables, snapshot):
        if person.word == word:
            return person
    raise NotPermitted(_("There is no such player here."))


def enter_as_friend(tables: TableService, code: str, key_hash: str) -> None:
    """Admit a friend of the host if the table allows it. Raises TableNotFound or NotPermitted."""

    def is_open(connection: Connection, table: Table, player: int) -> bool:
        return table.friends and is_friend_of(connection, player, table.host)

    otherwise = _("This table is open to friends of the host, and to anyone with the password.")
    let_in_where(tables, code, key_hash, is_open, otherwise)


def is_friend(tables: TableService, key_hash: str, other: int) -> bool:
    """Return True if the player with that key is a friend of `other`."""

    def work(connection: Connection) -> bool:
        player = player_queries.player(connection, key_hash)
        return player is not None and is_friend_of(connection, player[0], other)

    return tables.database.read(work)


def is_friend_of(connection: Connection, me: int, other: int) -> bool:
    """Return True if two players are friends, without a block between them."""
    return store.are_friends(connection, me, other) and not _across(connection, me, other)


# Asking, answering, blocking


def ask(tables: TableService, me: int, other: int) -> None:
    """Send a friend request, or accept the other player's. Raises InvalidState."""

    def work(connection: Connection) -> None:
        if store.blocks_player(connection, me, other):
            raise InvalidState(_("You have blocked this player. Unblock them first."))
        if store.are_friends(connection, me, other) or store.asked(connection, me, other):
            return
        if store.asked(connection, other, me) and not _across(connection, me, other):
            _befriend(tables, connection, me, other)
            return
        if store.open_asks(connection, me) >= MOST_ASKS:
            raise InvalidState(
                _("You already have {most} unanswered friend requests.", most=MOST_ASKS)
            )
        store.ask(connection, me, other, tables.now())

    tables.database.write(work)


def answer(tables: TableService, key_hash: str, word: str, yes: bool) -> None:
    """Accept or decline a friend request. Raises NotPermitted, InvalidState."""

    def work(connection: Connection) -> None:
        me = known(connection, key_hash)
        other = _found(me, word, store.asked_by(connection, me, MOST_FRIENDS))
        if yes:
            _befriend(tables, connection, me, other)
        else:
            store.drop_ask(connection, other, me)

    tables.database.write(work)


def part(tables: TableService, key_hash: str, word: str) -> None:
    """End a friendship; the other player is not notified. Raises NotPermitted."""

    def work(connection: Connection) -> None:
        me = known(connection, key_hash)
        friend = _found(me, word, store.friends_of(connection, me, MOST_FRIENDS))
        store.unfriend(connection, me, friend)

    tables.database.write(work)


def block(tables: TableService, me: int, other: int) -> None:
    """Block a player, at once and everywhere; any friendship between the two ends. The player is
    not notified.
    """
    tables.database.write(lambda c: store.block(c, me, other, tables.now()))


def block_known(tables: TableService, key_hash: str, word: str) -> None:
    """Block a friend, or a player who asked to be one. Raises NotPermitted."""

    def work(connection: Connection) -> None:
        me = known(connection, key_hash)
        rows: list[FriendRow | tuple[int, str]] = [
            *store.friends_of(connection, me, MOST_FRIENDS),
            *store.asked_by(connection, me, MOST_FRIENDS),
        ]
        store.block(connection, me, _found(me, word, rows), tables.now())

    tables.database.write(work)


def unblock(tables: TableService, key_hash: str, word: str) -> None:
    """Unblock a player. Raises NotPermitted."""

    def work(connection: Connection) -> None:
        me = known(connection, key_hash)
        rows = store.blocked_by(connection, me, MOST_FRIENDS)
        store.unblock(connection, me, _found(me, word, rows))

    tables.database.write(work)


def be_seen(tables: TableService, key_hash: str, present: bool) -> None:
    """Set whether friends see the player's presence. Raises NotPermitted."""

    def work(connection: Connection) -> None:
        accounts.change(connection, known(connection, key_hash), tables.now(), present=present)

    tables.database.write(work)


def _found(me: int, word: str, rows: Iterable[tuple[int, str] | FriendRow]) -> int:
    """Return the id of the player whom a word identifies among these. Raises NotPermitted."""
    for row in rows:
        if word_of(me, row[0]) == word:
            return row[0]
    raise NotPermitted(_("There is no such player here."))
