"""What is waiting for a player, most urgent first, as a page and as an Atom feed.

These are the tables where they play, and tournaments whose check-in is open.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import inf

from kaboom.db.times import DAY
from kaboom.engine.i18n import gettext as _
from kaboom.errors import TableNotFound
from kaboom.notifications.outbox import is_to_be_ready, waits_for
from kaboom.table_page.controls import put
from kaboom.tables import queries, votes
from kaboom.tables.clock.timers import due_for
from kaboom.tables.service import TableService
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tournaments.cache import TournamentSnapshot
from kaboom.tournaments.rules.events import CheckInOpened
from kaboom.tournaments.service import to_check_in_to
from kaboom.web.atom import Entry, feed

MOST = 50  # maximum number of tables considered, and of tournaments


@dataclass(frozen=True, slots=True)
class OpenVote:
    """A vote that waits for a player's answer."""

    text: str  # the proposal in words
    number: int  # its number among the table's votes
    left: float  # seconds until an answer no longer counts
    at: float  # when something last happened at its table, in seconds since 1970


@dataclass(frozen=True, slots=True)
class TurnLine:
    """A table where a player plays, or a tournament whose check-in is open, as shown in the list of
    their turns.
    """

    code: str
    key: str  # key of its game
    game: str
    mine: bool  # the table waits for the player
    names: tuple[str, ...]  # the others for whom it openly waits
    left: float | None  # seconds until the turn is decided for the player; None: no clock
    number: int  # number of the turn
    since: float  # when it began, in seconds since 1970
    paused: bool = False
    days: bool = False  # correspondence play
    vacation: bool = False  # the player is on vacation, and their clock is stopped
    opens: bool = False  # a tournament table that waits for the player to be ready
    vote: OpenVote | None = None  # in correspondence play, one that the player has not answered
    tournament: str = ""  # name of a tournament whose check-in is open; `code` is its code
    rivals: tuple[str, ...] = ()  # the other players of the match
    levels: tuple[str, ...] = ()  # of the bots among them, "" for people

    @property
    def path(self) -> str:
        """Return the path at which the player can respond."""
        return f"/tournaments/{self.code}" if self.tournament else f"/t/{self.code}"


def turns_of(tables: TableService, player: int, name: str) -> list[TurnLine]:
    """Return the matches a player is in: first those where it is their turn, then those where a
    vote in correspondence play waits for them, then the others; within each group, the shortest
    time left first.

    The list includes tournament tables where a match is about to begin, and open check-ins.
    """
    found = []
    for code in tables.database.read(lambda c: queries.tables_of(c, player, MOST)):
        with suppress(TableNotFound):  # damaged, or deleted since the query
            found.append(tables.get(code).asked_by(player, name))
    lines = [
        _line(tables, it)
        for it in found
        if it.me is not None and ((it.table.playing and not it.frozen) or it.table.opens)
    ]
    for seen in to_check_in_to(tables, player, MOST):
        with suppress(TableNotFound):  # its game is no longer on this server
            lines.append(_check_in(tables, seen, player))
    return sorted(lines, key=_urgent)


def _urgent(line: TurnLine) -> tuple[bool, bool, float, float]:
    left = line.left if line.mine or line.vote is None else line.vote.left
    return (not line.mine, line.vote is None, inf if left is None else left, line.since)


def _line(tables: TableService, it: TableSnapshot) -> TurnLine:
    table, me = it.table, it.me
    assert me is not None
    assert it.player is not None
    opens = is_to_be_ready(it, it.player)
    waited = not table.paused and waits_for(it, it.player)
    mine = waited and (opens or it.prompts[me].waited_for)
    due = due_for(table, me) if mine else None
    turn, clock = table.turns.get(me), table.day_clock(me)
    now = it.table_time(tables.now())
    return TurnLine(
        it.code,
        it.game.key,
        it.game.name,
        mine,
        tuple(table.seats[seat] for seat in it.waiting_for() if seat != me),
        None if due is None else max(0.0, due - now),
        turn.number if turn else 0,
        turn.since if turn else it.touched_at,
        table.paused,
        table.days > 0,
        mine and clock is not None and clock.left is not None,
        opens,
        _open_vote(it, now) if table.days else None,
        rivals=tuple(name for seat, name in enumerate(table.seats) if seat != me),
        levels=tuple(level for seat, level in enumerate(table.levels) if seat != me),
    )


def _check_in(tables: TableService, seen: TournamentSnapshot, player: int) -> TurnLine:
    number, since = next(
        (it.seq, it.at) for it in reversed(seen.log) if isinstance(it.event, CheckInOpened)
    )
    return TurnLine(
        seen.code,
        seen.game.key,
        seen.game.name,
        True,
        (),
        seen.checks_in(player, tables.now()),
        number,
        since,
        tournament=seen.of.settings.name,
    )


def _open_vote(it: TableSnapshot, now: float) -> OpenVote | None:
    vote = votes.waits_for(it.table, it.me)
    if vote is None:
        return None
    left = max(0.0, votes.answered_by(vote, it.me, now) - now)
    return OpenVote(put(it.table, vote), vote.number, left, it.touched_at)


def _title(line: TurnLine) -> str:
    if line.tournament:
        return _("{name}: check-in is open", name=line.tournament)
    if line.opens:
        return _("{game}: your tournament table is open", game=line.game)
    return _("{game}: it is your turn", game=line.game)


def atom(lines: Sequence[TurnLine], base: str, address: str, now: float) -> bytes:
    """Return the player's turns as an Atom feed; `address` is the feed's own URL."""
    entries = [
        Entry(
            f"turns/{line.code}/{line.number}",
            _title(line),
            line.since,
            f"{base}{line.path}",
            _("Tournament {code} is waiting for you.", code=line.code)
            if line.tournament
            else _("Table {code} is waiting for you.", code=line.code),
        )
        for line in lines
        if line.mine
    ]
    entries += [
        Entry(
            f"turns/{line.code}/vote/{line.vote.number}",
            _("{game}: a vote is waiting for your answer", game=line.game),
            line.vote.at,
            f"{base}/t/{line.code}",
            line.vote.text,
        )
        for line in lines
        if line.vote is not None
    ]
    entries.sort(key=lambda entry: -entry.updated)
    updated = entries[0].updated if entries else now - now % DAY
    title, page = _("Kaboom: your turns"), f"{base}/turns"
    return feed("turns", title, base, page, address, updated, entries)
