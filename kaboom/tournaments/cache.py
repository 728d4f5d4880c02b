"""A tournament as read from the store, and those that this process last saw."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from kaboom.engine.codec import from_json
from kaboom.engine.game import Game
from kaboom.engine.rng import match_key
from kaboom.errors import TableNotFound
from kaboom.games import GAMES
from kaboom.tables import queries
from kaboom.tables.clock.table_time import table_time
from kaboom.tables.service import Tables
from kaboom.tables.shared_deals import queries as shared_deal_queries
from kaboom.tables.shared_deals.service import promised
from kaboom.tournaments import queries as store
from kaboom.tournaments.rules.draw import Draw, board_cut, board_label, board_secret, draw_by
from kaboom.tournaments.rules.events import Logged, Number, Settings, read
from kaboom.tournaments.rules.state import Tournament, folded

KEPT = 64  # tournaments kept by a process


class TournamentNotFound(TableNotFound):
    """No tournament has that code."""

    slug = ""


@dataclass(frozen=True, slots=True)
class TournamentSnapshot:
    """A tournament as read: treat it as frozen."""

    row: store.TournamentRow
    log: Sequence[Logged]
    of: Tournament
    entrants: Mapping[Number, store.EntrantRow]
    pulse: queries.Pulse | None

    @property
    def code(self) -> str:
        """Return the code of its link."""
        return self.row.code

    @property
    def game(self) -> Game[Any]:
        """Return the game that is played; raises TournamentNotFound if this server has it no
        more.
        """
        try:
            return GAMES[self.of.settings.game]
        except KeyError:
            raise TournamentNotFound(self.row.code) from None

    @property
    def options(self) -> Any:
        """Return the game's options."""
        return from_json(self.of.settings.options, self.game.options)

    def number_of(self, player: int | None) -> Number | None:
        """Return a player's number, or None for somebody who has not entered."""
        if player is None:
            return None
        found = (it.number for it in self.entrants.values() if it.player_id == player)
        return next(found, None)

    def checks_in(self, player: int, now: float) -> float | None:
        """Return how many seconds a player still has to check in; None if they need not, or have
        done so.
        """
        of, number = self.of, self.number_of(player)
        open_ = of.check_in_until and not of.begun and not of.ended
        if not open_ or number is None or number not in of.waiting():
            return None
        if of.entrants[number].checked:
            return None
        left = of.check_in_ends - self.table_time(now)
        return left if left > 0 else None

    def cuts(self, numbers: Sequence[Number]) -> list[str]:
        """Return the words with which a field takes part in what is drawn, in order of entering."""
        return [self.entrants[it].cut for it in sorted(numbers)]

    def draw(self, numbers: Sequence[Number] = ()) -> Draw:
        """Return the draw: of the field as it is, or of one that is about to be fixed."""
        return draw_by(match_key(self.row.seed, self.cuts(numbers) if numbers else self.words))

    @property
    def words(self) -> list[str]:
        """Return the words of the field as it was fixed: all that is drawn follows from them."""
        return self.cuts(self.of.drawn)

    def label(self, round: int, wave: int) -> str:
        """Return the label of a wave's board; nothing where each table has cards of its own."""
        return board_label(self.code, round, wave) if self.of.settings.duplicate else ""

    def board(self, round: int, wave: int, now: float) -> shared_deal_queries.BoardRow:
        """Return the board of a wave, which may be dealt from now on."""
        label = self.label(round, wave)
        secret = board_secret(self.row.seed, label)
        made = promised(label, self.game, self.options, secret, now)
        return made._replace(cut=board_cut(self.words))

    @property
    def settings(self) -> Settings:
        """Return what it was when it was opened; what it is now stands in `of`."""
        return opened_with(self.row)

    def table_time(self, now: float) -> float:
        """Return the time in which its deadlines are counted, at `now`."""
        return table_time(self.pulse, now)


def opened_with(row: store.TournamentRow) -> Settings:
    """Return what a tournament was when it was opened; its log says what was changed since."""
    return from_json(row.settings, Settings)


class SeenTournaments:
    """The tournaments last looked at, by code."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, TournamentSnapshot] = OrderedDict()
        self.seen_to = ""  # the code of the one that the director saw to last

    def of(self, connection: Connection, row: store.TournamentRow) -> TournamentSnapshot:
        """Return the tournament of a stored row, reading only what this process has not seen."""
        known, pulse = self._kept.get(row.code), queries.pulse_now(connection)
        if known is None or known.row.id != row.id or known.row.version > row.version:
            log, entrants = [], store.entrants_of(connection, row.id)
        elif (known.row.version, known.row.names) == (row.version, row.names):
            return TournamentSnapshot(row, known.log, known.of, known.entrants, pulse)
        else:
            log, entrants = list(known.log), store.entrants_of(connection, row.id)
        after = log[-1].seq if log else 0
        for seq, body, at in store.events(connection, row.id, after):
            log.append(Logged(seq, read(body.encode()), at))
        of = folded(opened_with(row), log)
        row = row._replace(version=of.seq)  # more may have been written since the row was read
        found = TournamentSnapshot(row, log, of, {it.number: it for it in entrants}, pulse)
        self._kept[row.code] = found
        self._kept.move_to_end(row.code)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return found

    def forget(self, code: str) -> None:
        """Read a tournament whole the next time."""
        self._kept.pop(code, None)


def cache_of(tables: Tables) -> SeenTournaments:
    """Return what a process keeps of the tournaments of a store."""
    kept: SeenTournaments = tables.extensions.setdefault("tournaments", SeenTournaments())
    return kept
