"""A table's row in lists of tables: in the lobby and on a club's page."""

from dataclasses import dataclass

from kaboom.engine.i18n import gettext as _
from kaboom.engine.options import limits, notable
from kaboom.games.match_length import usual_length
from kaboom.tables.access.reliability import in_words
from kaboom.tables.snapshot import TableSnapshot
from kaboom.web.api.schemas import Listed
from kaboom.web.times import over_days


@dataclass(frozen=True, slots=True)
class LobbyTable:
    """A table in the lobby."""

    code: str
    key: str
    game: str
    host: str
    taken: int
    least: int
    most: int
    playing: bool
    locked: bool
    options: str  # options that differ from the defaults, and time limits, in brief
    timed: bool
    programs: bool  # are players' bots welcome?
    length: str = ""  # the usual length of a match, in words
    manner: str = ""  # how reliably the host finishes matches, in words
    reliable: bool = False  # players who often leave may not sit down

    @property
    def free(self) -> int:
        """Return the number of free seats."""
        return self.most - self.taken

    @property
    def open(self) -> bool:
        """Return True if a player can sit down."""
        return self.free > 0 and not self.playing


def lobby_table(snapshot: TableSnapshot) -> LobbyTable:
    """Return a table's row in the lobby."""
    table, game = snapshot.table, snapshot.game
    options = table.options_of(game)
    possible = game.seats(options)
    sitting = table.sitting()
    host = table.occupant_of(table.host)
    return LobbyTable(
        code=snapshot.code,
        key=game.key,
        game=game.name,
        host=host.name if host else "",
        taken=len(sitting),
        least=possible[0],
        most=possible[-1],
        playing=table.playing,
        locked=snapshot.locked,
        options=", ".join(
            [
                *([over_days(table.days, table.bank)] if table.days else []),
                *(f"{option.label}: {words}" for option, words in notable(options)),
            ]
        ),
        timed=table.days > 0 or any(limits(options).values()),
        programs=table.welcomes_programs(snapshot.listed),
        length="" if table.days else usual_length(game, options),
        manner=in_words(host.manner) if host else "",
        reliable=table.reliable,
    )


def listed(it: LobbyTable) -> Listed:
    """Return a table's entry in a list, as JSON."""
    return Listed(
        it.code,
        it.key,
        it.host,
        it.taken,
        it.least,
        it.most,
        it.playing,
        it.locked,
        it.timed,
        it.options,
        it.programs,
        it.length,
        it.manner,
        it.reliable,
    )


def listed_line(it: LobbyTable) -> str:
    """Return a table's line in a list, as text."""
    host = f"{it.host} ({it.manner})" if it.manner else it.host
    about = [f"{it.code} {it.game}", host, f"{it.taken}/{it.most}"]
    about += [_("playing")] if it.playing else []
    about += [_("with a password")] if it.locked else []
    about += [_("for players who finish their matches")] if it.reliable else []
    return ", ".join(filter(None, (*about, it.options, it.length)))
