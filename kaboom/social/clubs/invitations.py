"""Invitations to a club by link, and requests to join one."""

import json

from sqlalchemy import Connection

from kaboom.accounts import player_queries, token_queries
from kaboom.accounts.login import LinkExpired
from kaboom.accounts.names import require_readable_name, told_apart
from kaboom.accounts.token_queries import Offer
from kaboom.db.ids import new_secret
from kaboom.db.times import DAY
from kaboom.engine.i18n import gettext as _
from kaboom.errors import InvalidState
from kaboom.social.clubs import queries as store
from kaboom.social.clubs.models import INSIDE, Standing
from kaboom.social.clubs.queries import ClubRow
from kaboom.social.clubs.service import club_of, let_in, require_officer, require_room
from kaboom.social.friends import queries as friends
from kaboom.tables.service import TableService

LINK_DAYS = 7
MOST_ASKING = 50


def new_link(tables: TableService, code: str, key_hash: str) -> str:
    """Return the secret of a link that admits players to a club for a week; it replaces the last
    link.

    Raises NotPermitted.
    """
    secret = new_secret()

    def work(connection: Connection) -> None:
        club = club_of(connection, code, lock=True)
        me = require_officer(connection, club, key_hash)
        store.change(connection, club.id, links=club.links + 1)
        about = json.dumps({"code": club.code, "link": club.links + 1})
        made = Offer("club", me, about, tables.now() + LINK_DAYS * DAY)
        token_queries.add(connection, f"club {secret}", made)

    tables.database.write(work)
    return secret


def end_link(tables: TableService, code: str, key_hash: str) -> None:
    """Revoke the club's link. Raises NotPermitted."""

    def work(connection: Connection) -> None:
        club = club_of(connection, code, lock=True)
        require_officer(connection, club, key_hash)
        store.change(connection, club.id, links=club.links + 1)

    tables.database.write(work)


def name_on_link(tables: TableService, secret: str, key_hash: str) -> str:
    """Return the name of the club to which a link invites, without joining it. Raises
    LinkExpired.
    """

    def work(connection: Connection) -> str:
        player = player_queries.player(connection, key_hash)
        return _offered(tables, connection, secret, player and player[0]).name

    return tables.database.read(work)


def join(tables: TableService, secret: str, player: int, name: str) -> str:
    """Add a player to a club by its link, under a name; return the club's code. Raises LinkExpired
    or InvalidState.
    """

    def work(connection: Connection) -> str:
        club = _offered(tables, connection, secret, player, lock=True)
        if store.standing(connection, club.id, player) not in INSIDE:
            let_in(tables, connection, club, player, name)
        return club.code

    return tables.database.write(work)


def _offered(
    tables: TableService,
    connection: Connection,
    secret: str,
    player: int | None,
    lock: bool = False,
) -> ClubRow:
    """Return the club to which a link invites a player. Raises LinkExpired if the link is no longer
    valid, and also if the player was removed or blocked, which they must not learn.
    """
    offer = token_queries.find(connection, f"club {secret}", "club", tables.now())
    if offer is not None:
        about = json.loads(offer.about)
        club = store.by_code(connection, about["code"], lock)
        by = offer.made_by
        if (
            club is not None
            and club.links == about["link"]
            and store.standing(connection, club.id, by) == Standing.OFFICER
            and store.standing(connection, club.id, player) != Standing.REMOVED
            and (player is None or by not in friends.blocked_either_way(connection, player))
        ):
            return club
    raise LinkExpired(_("This link is no longer valid. Ask the club for a new one."))


def require_membership_request(tables: TableService, code: str) -> None:
    """Raise ClubNotFound, or InvalidState if players join only by link."""
    if not tables.database.read(lambda connection: club_of(connection, code)).asking:
        raise _by_link()


def _by_link() -> InvalidState:
    return InvalidState(_("You need a link to join this club. Ask one of its officers for it."))


def ask(tables: TableService, code: str, player: int, name: str) -> None:
    """Ask to join a club, under a name. Raises ClubNotFound, InvalidState.

    A request by a member, by a removed player or by a player who has already asked has no effect.
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
            raise InvalidState(_("Too many requests are waiting for an answer. Try again later."))
        require_room(connection, player)
        apart = told_apart(name, [it.name for it in rows])
        store.put(connection, club.id, player, Standing.ASKED, apart, tables.now())

    tables.database.write(work)
