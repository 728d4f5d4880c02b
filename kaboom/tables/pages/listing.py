"""A table as lists of tables show it: in the lobby, and among those of a club."""

from dataclasses import dataclass

from kaboom.engine.codec import from_json
from kaboom.engine.i18n import say
from kaboom.engine.options import limits, notable
from kaboom.tables.snapshot import TableSnapshot
from kaboom.web.api.schemas import Listed
from kaboom.web.times import over_days


@dataclass(frozen=True, slots=True)
class LobbyTable:
    """A table as the lobby shows it."""

    code: str
    key: str
    game: str
    host: str
    taken: int
    least: int
    most: int
    playing: bool
    locked: bool
    options: str  # what is not as usual, and time limits, in short
    timed: bool
    programs: bool  # are bots of players welcome?

    @property
    def free(self) -> int:
        """Return how many chairs are free."""
        return self.most - self.taken


def lobby_table(snapshot: TableSnapshot) -> LobbyTable:
    """Return what the lobby shows of a table."""
    table, game = snapshot.table, snapshot.game
    options = from_json(bytes(table.options), game.options)
    possible = game.seats(options)
    sitting = table.sitting()
    return LobbyTable(
        code=snapshot.code,
        key=game.key,
        game=game.name,
        host=next((chair.name for _, chair in sitting if chair.player == table.host), ""),
        taken=len(sitting),
        least=possible[0],
        most=possible[-1],
        playing=table.playing,
        locked=snapshot.locked,
        options=", ".join(
            [
                *([over_days(table.days)] if table.days else []),
                *(f"{option.label}: {words}" for option, words in notable(options)),
            ]
        ),
        timed=table.days > 0 or any(limits(options).values()),
        programs=table.welcomes_programs(snapshot.listed),
    )


def listed(it: LobbyTable) -> Listed:
    """Return a table as lists tell it to programs."""
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
    )


def listed_line(it: LobbyTable) -> str:
    """Return a table as a line of a list."""
    about = [f"{it.code} {it.game}", it.host, f"{it.taken}/{it.most}"]
    about += [say("playing")] if it.playing else []
    about += [say("with a password")] if it.locked else []
    return ", ".join(filter(None, (*about, it.options)))
