"""A player's public page: off by default, with the parts the player selects."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from kaboom.accounts import player_queries
from kaboom.accounts.credentials import known
from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.ratings import queries as rating_queries
from kaboom.statistics import days, figures, queries, stamps
from kaboom.statistics.days import Days
from kaboom.statistics.figures import GameFigures
from kaboom.statistics.stamps import Stamp
from kaboom.tables.access.reliability import LAST, in_words, manner
from kaboom.tables.service import TableService
from kaboom.tables.table import Occupant

# The optional parts of a page. Name and avatar are always shown.
GAMES, DAYS, STAMPS, MANNER = "games", "days", "stamps", "manner"
PARTS = {
    GAMES: N_("your matches and wins, by game"),
    DAYS: N_("your streak, and the calendar of your daily deals"),
    STAMPS: N_("your stamps"),
    MANNER: N_("how often you finish your matches with people"),
}


class PageNotFound(LookupError):
    """There is no public page with that code for the viewer; str() is the message."""


@dataclass(frozen=True, slots=True)
class PublicPage:
    """A public page; parts that are not shown are None."""

    code: str
    name: str
    games: Sequence[GameFigures] | None
    days: Days | None
    stamps: Sequence[Stamp] | None
    manner: str | None  # in words


@dataclass(frozen=True, slots=True)
class Choice:
    """A player's settings: the code of the page (empty if there is none) and the parts it shows."""

    name: str
    code: str
    shows: Collection[str]


def choice(tables: TableService, key_hash: str) -> Choice | None:
    """Return the settings of the player with that session key; None for an unknown key."""

    def work(connection: Connection) -> Choice | None:
        player = player_queries.player(connection, key_hash)
        if player is None:
            return None
        code, shows = queries.page_of(connection, player[0]) or ("", "")
        return Choice(player[1], code, shows.split())

    return tables.database.read(work)


def choose(tables: TableService, key_hash: str, on: bool, shows: Collection[str]) -> None:
    """Enable a player's public page with these parts, or disable it.

    A page that is enabled again gets a new URL. Raises NotPermitted.
    """
    parts = " ".join(it for it in PARTS if it in shows)
    fresh = tables.ids.code()

    def work(connection: Connection) -> None:
        player = known(connection, key_hash)
        old = queries.page_of(connection, player)
        code = (old[0] if old else fresh) if on else ""
        queries.save_page(connection, player, code, parts)

    tables.database.write(work)


def get(tables: TableService, code: str, key_hash: str) -> PublicPage:
    """Return a public page as the player with that session key may see it. Raises PageNotFound."""

    def work(connection: Connection) -> PublicPage:
        found = queries.page_at(connection, code)
        viewer = player_queries.player(connection, key_hash)
        if found is None or (viewer and queries.apart(connection, viewer[0], found[0])):
            raise PageNotFound(_("There is no such page."))
        player, name, parts = found
        shows = parts.split()
        theirs = days.of_player(connection, player, tables.now())
        return PublicPage(
            code,
            name,
            figures.of_player(connection, player) if GAMES in shows else None,
            theirs if DAYS in shows else None,
            stamps.of_player(connection, player, theirs) if STAMPS in shows else None,
            in_words(manner(rating_queries.stays(connection, player, LAST)))
            if MANNER in shows
            else None,
        )

    return tables.database.read(work)


def introduce(connection: Connection, occupant: Occupant) -> None:
    """Copy the code of a player's public page, if any, onto their seat."""
    if occupant.player is not None:
        occupant.page = (queries.page_of(connection, occupant.player) or ("", ""))[0]


def codes(tables: TableService, players: Collection[int]) -> dict[int, str]:
    """Return the codes of these players' public pages, without players who have none."""
    if not players:
        return {}
    return tables.database.read(lambda c: queries.pages_of(c, sorted(players)))
