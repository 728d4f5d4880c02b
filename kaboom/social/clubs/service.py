"""Clubs: standing circles with an address, officers, members, and tables of their own.

Only members see who is in one. A block holds here, too, in the transaction that would let somebody
through: nobody sees what the blocked ask, by no link of theirs do they come in, and their tables
are not found. A club is never without an officer: whoever is there longest is the next one.
"""

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from sqlalchemy import Connection

from kaboom.accounts import player_queries
from kaboom.accounts import token_queries as offers
from kaboom.accounts.credentials import known
from kaboom.accounts.login import LinkExpired
from kaboom.accounts.names import cleaned, require_readable_name, told_apart
from kaboom.accounts.token_queries import Offer
from kaboom.db.encryption import hash_of
from kaboom.db.ids import new_secret
from kaboom.db.times import DAY
from kaboom.engine.i18n import say
from kaboom.engine.moves import Refusal
from kaboom.engine.views import token_of
from kaboom.errors import InvalidState, NotPermitted, TableNotFound
from kaboom.social.clubs import queries as store
from kaboom.social.clubs.queries import ClubRow, MemberRow, OwnClubRow
from kaboom.social.clubs.roles import INSIDE, Standing
from kaboom.social.friends import queries as people
from kaboom.tables.access.service import let_in_where
from kaboom.tables.service import Tables
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.table import Table
from kaboom.tables.transaction import TableTransaction

LINK_DAYS = 7
LONGEST, POINTS = 40, 80  # characters, and code points, of a club's name
MOST_CLUBS = 20  # of one player
MOST_MEMBERS = 200
MOST_ASKING = 50
MOST_TABLES = 20  # shown
SHOWN_FOR = 7 * DAY  # seconds after a table's last change
LOOKED_AT = 100  # tables, of which some may not be shown
EVERY = 1_000_000  # tables


class ClubNotFound(Refusal):
    """There is no club at that address."""

    status = 404


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody in a club's lists: `word` identifies them in forms."""

    word: str
    name: str
    officer: bool
    me: bool


@dataclass(frozen=True, slots=True)
class Club:
    """A club as somebody finds it; to those outside there is nobody in its lists."""

    code: str
    name: str
    asking: bool  # one may ask to join
    phrases: bool  # at its tables only quick phrases are said
    standing: Standing | None  # of whoever looks
    called: str = ""  # what they are called there
    members: Sequence[Member] = ()
    asked: Sequence[Member] = ()  # for officers
    removed: Sequence[Member] = ()  # for officers

    @property
    def inside(self) -> bool:
        """Say whether whoever looks is a member."""
        return self.standing in INSIDE

    @property
    def officer(self) -> bool:
        """Say whether whoever looks is an officer."""
        return self.standing == Standing.OFFICER


# Looking


def clubs_of(tables: Tables, key_hash: str) -> Sequence[OwnClubRow]:
    """Return the clubs of the player with that key, by name."""

    def work(connection: Connection) -> Sequence[OwnClubRow]:
        player = player_queries.player(connection, key_hash)
        return store.clubs_of(connection, player[0]) if player else ()

    return tables.database.read(work)


def look(tables: Tables, code: str, key_hash: str) -> Club:
    """Return a club as the player with that key finds it. Raises ClubNotFound."""

    def work(connection: Connection) -> Club:
        club = club_of(connection, code)
        player = player_queries.player(connection, key_hash)
        mine = store.standing(connection, club.id, player and player[0])
        found = Club(club.code, club.name, club.asking, club.phrases, mine)
        if player is None or mine not in INSIDE:
            return found
        me, officer = player[0], mine == Standing.OFFICER
        rows = store.members_of(connection, club.id)
        across = store.across(connection, me)

        def listed(*standings: Standing, all_of_them: bool) -> list[Member]:
            return [
                Member(
                    _word(club, it), it.name, it.standing == Standing.OFFICER, it.player_id == me
                )
                for it in rows
                if it.standing in standings and (all_of_them or it.player_id not in across)
            ]

        return Club(
            *(club.code, club.name, club.asking, club.phrases, mine),
            called=next(it.name for it in rows if it.player_id == me),
            members=listed(*INSIDE, all_of_them=officer),
            asked=listed(Standing.ASKED, all_of_them=False) if officer else (),
            removed=listed(Standing.REMOVED, all_of_them=True) if officer else (),
        )

    return tables.database.read(work)


def tables_of(tables: Tables, code: str, key_hash: str) -> list[TableSnapshot]:
    """Return a club's tables as a member finds them, the last touched first; none to others.

    Tables whose host the member has blocked, or is blocked by, are not among them, nor those of
    tournaments.
    """

    def work(connection: Connection) -> tuple[int, Sequence[str], set[int]]:
        club = club_of(connection, code)
        me = me_inside(connection, club, key_hash)
        since = tables.now() - SHOWN_FOR
        return (
            me,
            store.tables_of(connection, club.id, since, LOOKED_AT),
            store.across(connection, me),
        )

    try:
        me, codes, across = tables.database.read(work)
    except NotPermitted:
        return []
    found: list[TableSnapshot] = []
    for it in codes:
        if len(found) == MOST_TABLES:
            break
        with suppress(TableNotFound):  # damaged, or removed at this very moment
            snapshot = tables.look(it)
            if snapshot.table.host not in across and not snapshot.table.pod:
                found.append(snapshot.asked_by(me, ""))
    return found


def name_to(tables: Tables, code: str, key_hash: str) -> str:
    """Return the name of a table's club to its members, to others and of no club nothing."""

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
    """Return the refusal of an address that no club has."""
    return ClubNotFound(say("There is no club at this address."))


def me_inside(connection: Connection, club: ClubRow, key_hash: str) -> int:
    """Return the player with that key; raises NotPermitted for anybody who is no member."""
    player = player_queries.player(connection, key_hash)
    if player is None or store.standing(connection, club.id, player[0]) not in INSIDE:
        raise _not_a_member()
    return player[0]


def name_of_member(connection: Connection, code: str, player: int) -> str:
    """Return what a member is called in the club with that code; raises NotPermitted for anybody
    else.
    """
    called = store.called(connection, code, player)
    if called is None:
        raise _not_a_member()
    return called


def _not_a_member() -> NotPermitted:
    return NotPermitted(say("Only members of the club can do that."))


def _officer(connection: Connection, club: ClubRow, key_hash: str) -> int:
    me = me_inside(connection, club, key_hash)
    if store.standing(connection, club.id, me) != Standing.OFFICER:
        raise NotPermitted(say("Only officers of the club can do that."))
    return me


def _word(club: ClubRow, it: MemberRow) -> str:
    return token_of(("member", club.id, it.player_id))


# Beginning and settling


def found(tables: Tables, player: int, name: str, called: str, phrases: bool = False) -> str:
    """Begin a club whose first officer is that player, called so there; return its code.

    Raises InvalidState.
    """
    title, called = require_title(name), require_readable_name(called)
    code = tables.lots.code()

    def work(connection: Connection) -> None:
        _require_room(connection, player)
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
    tables: Tables, code: str, key_hash: str, name: str, asking: bool, phrases: bool
) -> None:
    """Set a club's name, whether one may ask to join, and whether only quick phrases are said at
    its tables, also at those that are open already. Raises NotPermitted, InvalidState.
    """
    title = require_title(name)

    def work(connection: Connection) -> Sequence[str]:
        club = club_of(connection, code, lock=True)
        _officer(connection, club, key_hash)
        store.change(connection, club.id, name=title, asking=asking, phrases=phrases)
        changed = club.phrases != phrases
        return store.tables_of(connection, club.id, 0.0, EVERY) if changed else ()

    def only_phrases(transaction: TableTransaction) -> None:
        transaction.table.phrases = phrases

    for it in tables.database.write(work):
        with suppress(TableNotFound):
            tables.change(it, only_phrases)


def require_title(name: str) -> str:
    """Return a club's name as it is shown; raises InvalidState when nothing readable is left of
    it.
    """
    title = cleaned(name, LONGEST, POINTS)
    if not title:
        raise InvalidState(say("Please give the club a name that can be read."))
    return title


def _require_room(connection: Connection, player: int) -> None:
    if len(store.clubs_of(connection, player)) >= MOST_CLUBS:
        raise InvalidState(say("Nobody can be in more than {most} clubs.", most=MOST_CLUBS))


# Coming in


def new_link(tables: Tables, code: str, key_hash: str) -> str:
    """Return the secret of a link that leads into a club for some days; the last one ends.

    Raises NotPermitted.
    """
    secret = new_secret()

    def work(connection: Connection) -> None:
        club = club_of(connection, code, lock=True)
        me = _officer(connection, club, key_hash)
        store.change(connection, club.id, links=club.links + 1)
        about = json.dumps({"code": club.code, "link": club.links + 1})
        made = Offer("club", me, about, tables.now() + LINK_DAYS * DAY)
        offers.add(connection, _hashed(secret), made)

    tables.database.write(work)
    return secret


def end_link(tables: Tables, code: str, key_hash: str) -> None:
    """Let the club's link lead nowhere. Raises NotPermitted."""

    def work(connection: Connection) -> None:
        club = club_of(connection, code, lock=True)
        _officer(connection, club, key_hash)
        store.change(connection, club.id, links=club.links + 1)

    tables.database.write(work)


def name_on_link(tables: Tables, secret: str, key_hash: str) -> str:
    """Return the name of the club a link leads into, without using it. Raises LinkExpired."""

    def work(connection: Connection) -> str:
        player = player_queries.player(connection, key_hash)
        return _offered(tables, connection, secret, player and player[0]).name

    return tables.database.read(work)


def join(tables: Tables, secret: str, player: int, name: str) -> str:
    """Let a player into a club by its link, under a name; return its code.

    Raises LinkExpired or InvalidState.
    """

    def work(connection: Connection) -> str:
        club = _offered(tables, connection, secret, player, lock=True)
        if store.standing(connection, club.id, player) not in INSIDE:
            _let_in(tables, connection, club, player, name)
        return club.code

    return tables.database.write(work)


def _offered(
    tables: Tables, connection: Connection, secret: str, player: int | None, lock: bool = False
) -> ClubRow:
    """Return the club a link leads into, for a player; raises LinkExpired, as for a used one, if it
    does not: nobody is told of a block.
    """
    offer = offers.find(connection, _hashed(secret), "club", tables.now())
    if offer is not None:
        about = json.loads(offer.about)
        club = store.by_code(connection, about["code"], lock)
        by = offer.made_by
        if (
            club is not None
            and club.links == about["link"]
            and store.standing(connection, club.id, by) == Standing.OFFICER
            and store.standing(connection, club.id, player) != Standing.REMOVED
            and (player is None or by not in store.across(connection, player))
        ):
            return club
    raise LinkExpired(say("This link leads nowhere any more. Ask the club for a new one."))


def require_membership_request(tables: Tables, code: str) -> None:
    """Raise ClubNotFound, or InvalidState where one joins by a link alone."""
    if not tables.database.read(lambda connection: club_of(connection, code)).asking:
        raise _by_link()


def _by_link() -> InvalidState:
    return InvalidState(say("This club is joined by a link. Ask one of its officers for it."))


def ask(tables: Tables, code: str, player: int, name: str) -> None:
    """Ask to join a club, under a name. Raises ClubNotFound, InvalidState.

    Whoever was removed, or is there already, asks without effect.
    """
    name = require_readable_name(name)

    def work(connection: Connection) -> None:
        club = club_of(connection, code, lock=True)
        if store.standing(connection, club.id, player) is not None:
            return
        if not club.asking:
            raise _by_link()
        rows = store.members_of(connection, club.id)
        if sum(it.standing == Standing.ASKED for it in rows) >= MOST_ASKING:
            raise InvalidState(
                say("Too many have asked and were not answered yet. Try again later.")
            )
        _require_room(connection, player)
        apart = told_apart(name, [it.name for it in rows])
        store.put(connection, club.id, player, Standing.ASKED, apart, tables.now())

    tables.database.write(work)


def _let_in(tables: Tables, connection: Connection, club: ClubRow, player: int, name: str) -> None:
    rows = store.members_of(connection, club.id)
    if sum(it.standing in INSIDE for it in rows) >= MOST_MEMBERS:
        raise InvalidState(say("The club is full: it has {most} members.", most=MOST_MEMBERS))
    _require_room(connection, player)
    others = [it.name for it in rows if it.player_id != player]
    apart = told_apart(require_readable_name(name), others)
    store.put(connection, club.id, player, Standing.MEMBER, apart, tables.now())


# Members


def do(tables: Tables, code: str, key_hash: str, what: str, word: str) -> None:
    """Do something about somebody a club knows; officers only, but for blocking them.

    `what`: yes or no to who asked, officer, member, remove, welcome (who was removed), block.
    Raises NotPermitted, InvalidState.
    """

    def work(connection: Connection) -> None:
        club = club_of(connection, code, lock=True)
        me = me_inside(connection, club, key_hash)
        rows = store.members_of(connection, club.id)
        it = next((row for row in rows if _word(club, row) == word), None)
        if it is None or it.player_id == me:
            raise NotPermitted(say("There is nobody like that here."))
        if what == "block":
            people.block(connection, me, it.player_id, tables.now())
            return
        _officer(connection, club, key_hash)
        _arrange(tables, connection, club, it, what)

    tables.database.write(work)


def _arrange(
    tables: Tables, connection: Connection, club: ClubRow, it: MemberRow, what: str
) -> None:
    """Do what an officer wants done about somebody, if it fits what they are to the club."""
    who = it.player_id
    match what, it.standing:
        case "yes", Standing.ASKED:
            _let_in(tables, connection, club, who, it.name)
        case ("no", Standing.ASKED) | ("welcome", Standing.REMOVED):
            store.drop(connection, club.id, who)
        case "officer", Standing.MEMBER:
            store.change_member(connection, club.id, who, standing=Standing.OFFICER)
        case "member", Standing.OFFICER:
            store.change_member(connection, club.id, who, standing=Standing.MEMBER)
        case "remove", Standing.MEMBER | Standing.OFFICER:
            store.change_member(connection, club.id, who, standing=Standing.REMOVED)
            store.change(connection, club.id, links=club.links + 1)  # which they may know
            store.let_out(connection, club.id, who)
        case _:
            raise InvalidState(say("That cannot be done now."))


def be_called(tables: Tables, code: str, key_hash: str, name: str) -> None:
    """Let a member have another name in the club. Raises NotPermitted, InvalidState."""
    name = require_readable_name(name)

    def work(connection: Connection) -> None:
        club = club_of(connection, code, lock=True)
        me = me_inside(connection, club, key_hash)
        others = [it.name for it in store.members_of(connection, club.id) if it.player_id != me]
        store.change_member(connection, club.id, me, name=told_apart(name, others))

    tables.database.write(work)


def leave(tables: Tables, code: str, key_hash: str) -> None:
    """Leave a club, or take back that one asked; with the last member the club ends.

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


def enter(tables: Tables, code: str, key_hash: str) -> None:
    """Let a member in to a table of their club, without a password. Raises TableNotFound,
    NotPermitted.
    """

    def is_open(connection: Connection, table: Table, player: int) -> bool:
        return bool(
            table.club and store.name_to(connection, table.club, player)
        ) and table.host not in store.across(connection, player)

    otherwise = say("This table is open to members of its club, and to the password.")
    let_in_where(tables, code, key_hash, is_open, otherwise)


def dissolve(tables: Tables, code: str) -> None:
    """End a club, for the host of the server; its tables and matches stay. Raises ClubNotFound."""

    def work(connection: Connection) -> None:
        store.dissolve(connection, club_of(connection, code, lock=True).id)

    tables.database.write(work)


def _hashed(secret: str) -> str:
    return hash_of(f"club {secret}")
