"""Tournaments as read from the database, with a cache per process."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from kaboom.engine.codec import from_json
from kaboom.engine.fairness.commitment import match_key
from kaboom.engine.game import Game
from kaboom.errors import TableNotFound
from kaboom.games import GAMES
from kaboom.tables import queries
from kaboom.tables.clock.table_time import table_time
from kaboom.tables.service import TableService
from kaboom.tables.shared_deals import queries as shared_deal_queries
from kaboom.tables.shared_deals.service import promised
from kaboom.tournaments import queries as store
from kaboom.tournaments.rules.draw import Draw, board_cut, board_label, board_secret, draw_by
from kaboom.tournaments.rules.events import Logged, Number, Settings, read
from kaboom.tournaments.rules.state import Tournament, folded

KEPT = 64  # tournaments cached by a process


class TournamentNotFound(TableNotFound):
    """No tournament has that code."""

    slug = ""


@dataclass(frozen=True, slots=True)
class TournamentSnapshot:
    """A tournament as read; do not change it."""

    row: store.TournamentRow
    log: Sequence[Logged]
    of: Tournament
    entrants: Mapping[Number, store.EntrantRow]
    pulse: queries.Pulse | None

    @property
    def code(self) -> str:
        """Return the code in its link."""
        return self.row.code

    @property
    def game(self) -> Game[Any]:
        """Return the game of the tournament; raises TournamentNotFound if it is no longer
        installed.
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
        """Return the entrant number of a player, or None if they have not entered."""
        if player is None:
            return None
        found = (it.number for it in self.entrants.values() if it.player_id == player)
        return next(found, None)

    def checks_in(self, player: int, now: float) -> float | None:
        """Return the seconds a player has left to check in, or None if they cannot or need not."""
        of, number = self.of, self.number_of(player)
        open_ = of.check_in_until and not of.begun and not of.ended
        if not open_ or number is None or number not in of.waiting():
            return None
        if of.entrants[number].checked:
            return None
        left = of.check_in_ends - self.table_time(now)
        return left if left > 0 else None

    def cuts(self, numbers: Sequence[Number]) -> list[str]:
        """Return the entrants' contributions to the draw, in order of entry."""
        return [self.entrants[it].cut for it in sorted(numbers)]

    def draw(self, numbers: Sequence[Number] = ()) -> Draw:
        """Return the draw for the fixed field, or for the entrants `numbers` who are about to be
        fixed as the field.
        """
        return draw_by(match_key(self.row.seed, self.cuts(numbers) if numbers else self.words))

    @property
    def words(self) -> list[str]:
        """Return the contributions of the fixed field, from which all draws are derived."""
        return self.cuts(self.of.drawn)

    def label(self, round: int, wave: int) -> str:
        """Return the label of a wave's board; empty if tables do not share cards."""
        return board_label(self.code, round, wave) if self.of.settings.duplicate else ""

    def board(self, round: int, wave: int, now: float) -> shared_deal_queries.BoardRow:
        """Return the board of a wave, which may be dealt from `now` on."""
        label = self.label(round, wave)
        secret = board_secret(self.row.seed, label)
        made = promised(label, self.game, self.options, secret, now)
        return made._replace(cut=board_cut(self.words))

    def is_run_by(self, player: int | None) -> bool:
        """Return True if the player is the organiser."""
        return player is not None and player == self.row.host_id

    def table_time(self, now: float) -> float:
        """Return the table time, in which deadlines are given, at `now` (seconds since 1970)."""
        return table_time(self.pulse, now)


def opened_with(row: store.TournamentRow) -> Settings:
    """Return a tournament's original settings; later changes are in its log."""
    return from_json(row.settings, Settings)


class SeenTournaments:
    """The tournaments read most recently, by code."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, TournamentSnapshot] = OrderedDict()
        self.seen_to = ""  # code of the tournament that the scheduler handled last

    def of(self, connection: Connection, row: store.TournamentRow) -> TournamentSnapshot:
        """Return the tournament of a stored row, reading only events that are not cached."""
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
        row = row._replace(version=of.seq)  # events may have been added since the row was read
        found = TournamentSnapshot(row, log, of, {it.number: it for it in entrants}, pulse)
        self._kept[row.code] = found
        self._kept.move_to_end(row.code)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return found

    def forget(self, code: str) -> None:
        """Remove a tournament from the cache."""
        self._kept.pop(code, None)


def cache_of(tables: TableService) -> SeenTournaments:
    """Return this process's cache of tournaments."""
    kept: SeenTournaments = tables.extensions.setdefault("tournaments", SeenTournaments())
    return kept
