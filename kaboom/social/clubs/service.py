"""Clubs: lasting groups with a URL, officers, members and tables of their own.

Only members see the list of members. Blocks apply here as well, in the transaction that would let a
player in: members do not see requests from players they block, links do not work between two such
players, and neither sees the other's tables listed. A club always has an officer: when the last one
leaves, the longest-standing member becomes one.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from sqlalchemy import Connection

from kaboom.accounts import player_queries
from kaboom.accounts.credentials import known
from kaboom.accounts.names import cleaned, require_readable_name, told_apart
from kaboom.db.times import DAY
from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Refusal
from kaboom.engine.views import token_of
from kaboom.errors import InvalidState, NotPermitted, TableNotFound
from kaboom.social.clubs import queries as store
from kaboom.social.clubs.models import INSIDE, Standing
from kaboom.social.clubs.queries import ClubRow, MemberRow, OwnClubRow
from kaboom.social.friends import queries as friends
from kaboom.tables.access.service import let_in_where
from kaboom.tables.service import TableService
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.table import Table
from kaboom.tables.transaction import TableTransaction

LONGEST, POINTS = 40, 80  # characters and code points of a club's name
MOST_CLUBS = 20  # clubs of one player
MOST_MEMBERS = 200
MOST_TABLES = 20  # shown on a club's page
SHOWN_FOR = 7 * DAY  # seconds after a table's last change
LOOKED_AT = 100  # tables, of which some may not be shown
EVERY = 1_000_000  # tables


class ClubNotFound(Refusal):
    """There is no club with that code."""

    status = 404


@dataclass(frozen=True, slots=True)
class Member:
    """A player in a club's lists; `word` identifies them in forms."""

    word: str
    name: str
    officer: bool
    me: bool


@dataclass(frozen=True, slots=True)
class Club:
    """A club as a player sees it. Outsiders see no members."""

    code: str
    name: str
    asking: bool  # players may ask to join
    phrases: bool  # its tables allow only quick phrases
    standing: Standing | None  # the viewer's role
    called: str = ""  # their name in the club
    members: Sequence[Member] = ()
    asked: Sequence[Member] = ()  # for officers
    removed: Sequence[Member] = ()  # for officers

    @property
    def inside(self) -> bool:
        """Return True if the viewer is a member."""
        return self.standing in INSIDE

    @property
    def officer(self) -> bool:
        """Return True if the viewer is an officer."""
        return self.standing == Standing.OFFICER


# Reading


def clubs_of(tables: TableService, key_hash: str) -> Sequence[OwnClubRow]:
    """Return the clubs of the player with that key, by name."""

    def work(connection: Connection) -> Sequence[OwnClubRow]:
        player = player_queries.player(connection, key_hash)
        return store.clubs_of(connection, player[0]) if player else ()

    return tables.database.read(work)


def get(tables: TableService, code: str, key_hash: str) -> Club:
    """Return a club as the player with that key may see it. Raises ClubNotFound."""

    def work(connection: Connection) -> Club:
        club = club_of(connection, code)
        player = player_queries.player(connection, key_hash)
        mine = store.standing(connection, club.id, player and player[0])
        found = Club(club.code, club.name, club.asking, club.phrases, mine)
        if player is None or mine not in INSIDE:
            return found
        me, officer = player[0], mine == Standing.OFFICER
        rows = store.members_of(connection, club.id)
        blocked = friends.blocked_either_way(connection, me)

        def listed(*standings: Standing, all_of_them: bool) -> list[Member]:
            return [
                Member(
                    word_of(club, it), it.name, it.standing == Standing.OFFICER, it.player_id == me
                )
                for it in rows
                if it.standing in standings and (all_of_them or it.player_id not in blocked)
            ]

        return replace(
            found,
            called=next(it.name for it in rows if it.player_id == me),
            members=listed(*INSIDE, all_of_them=officer),
            asked=listed(Standing.ASKED, all_of_them=False) if officer else (),
            removed=listed(Standing.REMOVED, all_of_them=True) if officer else (),
        )

    return tables.database.read(work)


def tables_of(tables: TableService, code: str, key_hash: str) -> list[TableSnapshot]:
    """Return a club's tables as a member may see them, latest change first; none to others.

    Tournament tables are left out, as are those where there is a block between the host and the
    member.
    """

    def work(connection: Connection) -> tuple[int, Sequence[str], set[int]]:
        club = club_of(connection, code)
        me, _mine = me_inside(connection, club, key_hash)
        since = tables.now() - SHOWN_FOR
        return (
            me,
            store.tables_of(connection, club.id, since, LOOKED_AT),
            friends.blocked_either_way(connection, me),
        )

    try:
        me, codes, blocked = tables.database.read(work)
    except NotPermitted:
        return []
    found: list[TableSnapshot] = []
    for it in codes:
        if len(found) == MOST_TABLES:
            break
        with suppress(TableNotFound):  # damaged, or deleted in the meantime
            snapshot = tables.get(it)
            if snapshot.table.host not in blocked and not snapshot.table.pod:
                found.append(snapshot.asked_by(me, ""))
    return found


def name_to(tables: TableService, code: str, key_hash: str) -> str:
    """Return the name of a table's club for a member; "" for others, or if the table has no
    club.
    """

    def work(connection: Connection) -> str:
        player = player_queries.player(connection, key_hash)
        return store.name_to(connection, code, player[0]) if player else ""

    return tables.database.read(work) if code else ""


def club_of(connection: Connection, code: str, lock: bool = False) -> ClubRow:
    """Return the club with that code; raises ClubNotFound."""
    found = store.by_code(connection, code, lock)
    if found is None:
        raise no_club()
    return found


def no_club() -> ClubNotFound:
    """Return the error that there is no club with that code."""
    return ClubNotFound(_("There is no club at this address."))


def me_inside(connection: Connection, club: ClubRow, key_hash: str) -> tuple[int, Standing]:
    """Return the id and role of the player with that key; raises NotPermitted if they are not a
    member.
    """
    player = player_queries.player(connection, key_hash)
    mine = store.standing(connection, club.id, player and player[0])
    if player is None or mine is None or mine not in INSIDE:
        raise _not_a_member()
    return player[0], mine


def name_of_member(connection: Connection, code: str, player: int) -> str:
    """Return a member's name in the club with that code; raises NotPermitted for other players."""
    called = store.called(connection, code, player)
    if called is None:
        raise _not_a_member()
    return called


def _not_a_member() -> NotPermitted:
    return NotPermitted(_("Only members of the club can do that."))


def require_officer(connection: Connection, club: ClubRow, key_hash: str) -> int:
    me, mine = me_inside(connection, club, key_hash)
    if mine != Standing.OFFICER:
        raise NotPermitted(_("Only officers of the club can do that."))
    return me


def word_of(club: ClubRow, it: MemberRow) -> str:
    """Return the word that identifies a player of the club in forms."""
    return token_of(("member", club.id, it.player_id))


# Founding and settings


def found(tables: TableService, player: int, name: str, called: str, phrases: bool = False) -> str:
    """Found a club with that player as its first officer, under the name `called`; return its code.

    Raises InvalidState.
    """
    title, called = require_title(name), require_readable_name(called)
    code = tables.ids.code()

    def work(connection: Connection) -> None:
        require_room(connection, player)
        values = {
            "code": code,
            "name": title,
            "asking": False,
            "phrases": phrases,
            "links": 0,
            "made_at": tables.now(),
        }
        club = store.add(connection, values)
        store.put(connection, club, player, Standing.OFFICER, called, tables.now())

    tables.database.write(work)
    return code


def settle(
    tables: TableService, code: str, key_hash: str, name: str, asking: bool, phrases: bool
) -> None:
    """Set a club's name, whether players may ask to join, and whether only quick phrases may be
    written at its tables, including open ones. Raises NotPermitted, InvalidState.
    """
    title = require_title(name)

    def work(connection: Connection) -> Sequence[str]:
        club = club_of(connection, code, lock=True)
        require_officer(connection, club, key_hash)
        store.change(connection, club.id, name=title, asking=asking, phrases=phrases)
        changed = club.phrases != phrases
        return store.tables_of(connection, club.id, 0.0, EVERY) if changed else ()

    def only_phrases(transaction: TableTransaction) -> None:
        transaction.table.phrases = phrases

    for it in tables.database.write(work):
        with suppress(TableNotFound):
            tables.change(it, only_phrases)


def require_title(name: str) -> str:
    """Return a club's name in the form that is shown; raises InvalidState if no visible character
    is left.
    """
    title = cleaned(name, LONGEST, POINTS)
    if not title:
        raise InvalidState(_("The club’s name needs at least one visible character."))
    return title


def require_room(connection: Connection, player: int) -> None:
    if len(store.clubs_of(connection, player)) >= MOST_CLUBS:
        raise InvalidState(_("You can be in at most {most} clubs.", most=MOST_CLUBS))


# Joining


def let_in(
    tables: TableService, connection: Connection, club: ClubRow, player: int, name: str
) -> None:
    rows = store.members_of(connection, club.id)
    if sum(it.standing in INSIDE for it in rows) >= MOST_MEMBERS:
        raise InvalidState(_("The club is full: it has {most} members.", most=MOST_MEMBERS))
    require_room(connection, player)
    others = [it.name for it in rows if it.player_id != player]
    apart = told_apart(require_readable_name(name), others)
    store.put(connection, club.id, player, Standing.MEMBER, apart, tables.now())


# Members


def be_called(tables: TableService, code: str, key_hash: str, name: str) -> None:
    """Change a member's name in the club. Raises NotPermitted, InvalidState."""
    name = require_readable_name(name)

    def work(connection: Connection) -> None:
        club = club_of(connection, code, lock=True)
        me, _mine = me_inside(connection, club, key_hash)
        _call(connection, club, me, name)

    tables.database.write(work)


def rename(connection: Connection, player: int, old: str, name: str) -> None:
    """Give a player another name in the clubs where they have the old one. If another name there
    looks the same, a number is appended.
    """
    for own in store.clubs_of(connection, player):
        if own.called == old:
            _call(connection, club_of(connection, own.code, lock=True), player, name)


def _call(connection: Connection, club: ClubRow, player: int, name: str) -> None:
    others = [it.name for it in store.members_of(connection, club.id) if it.player_id != player]
    store.change_member(connection, club.id, player, name=told_apart(name, others))


def leave(tables: TableService, code: str, key_hash: str) -> None:
    """Leave a club, or withdraw a request to join; when the last member leaves, the club ends.

    Raises NotPermitted.
    """

    def work(connection: Connection) -> None:
        club, me = club_of(connection, code, lock=True), known(connection, key_hash)
        mine = store.standing(connection, club.id, me)
        if mine == Standing.REMOVED or mine is None:
            raise _not_a_member()
        store.drop(connection, club.id, me)
        store.let_out(connection, club.id, me)
        store.keep_led(connection, club.id)

    tables.database.write(work)


# Its tables


def enter(tables: TableService, code: str, key_hash: str) -> None:
    """Admit a member to a table of their club without a password. Raises TableNotFound,
    NotPermitted.
    """

    def is_open(connection: Connection, table: Table, player: int) -> bool:
        return bool(
            table.club and store.name_to(connection, table.club, player)
        ) and table.host not in friends.blocked_either_way(connection, player)

    otherwise = _("This table is open to club members, and to anyone with the password.")
    let_in_where(tables, code, key_hash, is_open, otherwise)


def dissolve(tables: TableService, code: str) -> None:
    """End a club on behalf of the server's host; its tables and matches stay. Raises
    ClubNotFound.
    """

    def work(connection: Connection) -> None:
        store.dissolve(connection, club_of(connection, code, lock=True).id)

    tables.database.write(work)
