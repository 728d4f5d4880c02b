"""Officers of a club answer requests, appoint officers, and remove members."""

from sqlalchemy import Connection

from kaboom.engine.i18n import gettext as _
from kaboom.errors import InvalidState, NotPermitted
from kaboom.social.clubs import queries as store
from kaboom.social.clubs.models import Standing
from kaboom.social.clubs.queries import ClubRow, MemberRow
from kaboom.social.clubs.service import club_of, let_in, me_inside, require_officer, word_of
from kaboom.social.friends import queries as friends
from kaboom.tables.service import TableService


def change_role(tables: TableService, code: str, key_hash: str, action: str, word: str) -> None:
    """Change the role of a player listed in a club. Only officers may do this, except for blocking.

    `action`: yes or no (to a request), officer, member, remove, welcome (a removed player), block.
    Raises NotPermitted, InvalidState.
    """

    def work(connection: Connection) -> None:
        club = club_of(connection, code, lock=True)
        me, _mine = me_inside(connection, club, key_hash)
        rows = store.members_of(connection, club.id)
        it = next((row for row in rows if word_of(club, row) == word), None)
        if it is None or it.player_id == me:
            raise NotPermitted(_("There is no such player here."))
        if action == "block":
            friends.block(connection, me, it.player_id, tables.now())
            return
        require_officer(connection, club, key_hash)
        _apply(tables, connection, club, it, action)

    tables.database.write(work)


def _apply(
    tables: TableService, connection: Connection, club: ClubRow, it: MemberRow, action: str
) -> None:
    """Apply an officer's action, if it fits the player's role."""
    who = it.player_id
    match action, it.standing:
        case "yes", Standing.ASKED:
            let_in(tables, connection, club, who, it.name)
        case ("no", Standing.ASKED) | ("welcome", Standing.REMOVED):
            store.drop(connection, club.id, who)
        case "officer", Standing.MEMBER:
            store.change_member(connection, club.id, who, standing=Standing.OFFICER)
        case "member", Standing.OFFICER:
            store.change_member(connection, club.id, who, standing=Standing.MEMBER)
        case "remove", Standing.MEMBER | Standing.OFFICER:
            store.change_member(connection, club.id, who, standing=Standing.REMOVED)
            # This invalidates the link, which they may know.
            store.change(connection, club.id, links=club.links + 1)
            store.let_out(connection, club.id, who)
        case _:
            raise InvalidState(_("You cannot do that now."))
