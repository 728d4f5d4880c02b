"""Decides which moment of a match a spectator sees; games/<game>/view.py leaves out hidden cards.

Spectators see everything public at once or with a delay of minutes, or nothing during a match. With
a delay, they see all hands if every player agreed before the deal.

The past is rebuilt from the seed and the move log, so it contains nothing newer. It is always
public that a match is running, and who sits at the table between two matches.
"""

from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any

from msgspec import Raw
from sqlalchemy import Connection

from kaboom.db.database import Database
from kaboom.db.threads import here
from kaboom.engine.codec import copied, from_json, to_json
from kaboom.engine.engine import waiting_for
from kaboom.engine.fairness.commitment import commitment
from kaboom.engine.game import Game
from kaboom.engine.log_replay import LogReplay
from kaboom.engine.play import Event
from kaboom.engine.takeback import takes_back
from kaboom.engine.views import Outcome
from kaboom.tables import match_queries
from kaboom.tables.change import TableChange
from kaboom.tables.position import Position
from kaboom.tables.queries import MatchRow
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.spectators import queries as store
from kaboom.tables.table import NO_HOST, WATCHED_BY_NOBODY, Occupant, Table, key
from kaboom.tables.texts import AROUND

DELAYS = (0, 1, 3, 5, 10, 30, WATCHED_BY_NOBODY)  # available delays in minutes

KEPT = 200  # number of tables whose past is cached
FEW = 100  # maximum moves replayed in the calling thread; more are replayed in another one

# Revisions of what spectators see instead of the table; they are above the table's own small ones.
MATCH, CLOSED, BETWEEN = 100_000, 80_000_000, 90_000_000
CHOICES = 64  # more than the longest delay, which is part of the revision


def agree_on_hands(change: TableChange) -> None:
    """Set after how many minutes spectators see all hands of the new match, and log it.

    0 means never. Every seated player must have agreed to exactly that delay.
    """
    table = change.table
    answers = {occupant.hands for _, occupant in table.sitting() if not occupant.bot}
    table.hands = table.watch if table.watch > 0 and answers == {table.watch} else 0
    if table.hands:
        change.tell("table.hands", minutes=table.hands)


@dataclass(frozen=True, slots=True)
class Past:
    """A match rebuilt up to a certain move: its state after `seq` moves, and its log lines.

    `changes` is the number of these moves that changed what is shown. The number of secret moves
    must stay hidden.
    """

    match: MatchRow
    people: Collection[int]  # the seats not played by bots
    key: bytes
    seq: int
    at: float  # when the last of these moves was made
    state: Any
    table: Table  # used only for its log lines
    changes: int = 0
    hands: bool = False  # all hands are shown


Moves = Sequence[tuple[str, float]]  # moves as text, and their times


class Pasts:
    """A cache of matches rebuilt for delayed spectators. `run_in_thread` runs long replays."""

    def __init__(self, database: Database, run_in_thread: Callable[..., Any]) -> None:
        self._database = database
        self._aside = run_in_thread
        self._kept: OrderedDict[str, Past] = OrderedDict()

    def at(self, snapshot: TableSnapshot, until: float) -> Past | None:
        """Return the latest match as it was at `until`, or None if none had begun.

        Raises LookupError if it cannot be rebuilt, for example because the rules have changed.
        """
        code, game, table = snapshot.code, snapshot.game, snapshot.table
        known = self._kept.get(code)

        def read(
            connection: Connection,
        ) -> tuple[MatchRow, Past | None, Collection[int], Moves] | None:
            match = store.begun_by(connection, code, until)
            if match is None:
                return None
            if known is not None and _leads_to(known, match, table, until):
                later = store.moves_by(connection, match.id, known.seq, until)
                if not any(takes_back(text) for text, _ in later):
                    return match, known, (), later
            people = match_queries.players_of(connection, match.id).keys()
            return match, None, people, store.moves_by(connection, match.id, 0, until)

        found = self._database.read(read)
        if found is None:
            return None
        match, past, people, moves = found
        if match.game_version != game.version:
            raise LookupError(f"version {match.game_version} of {game.name} is gone")
        past = past or _dealt(game, match, people, shows_hands(match, table))
        work = self._aside if len(moves) > FEW else here
        later: Past = replace(work(_advanced, game, past, moves), match=match)
        self._kept[code] = later
        self._kept.move_to_end(code)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return later


def _leads_to(known: Past, match: MatchRow, table: Table, until: float) -> bool:
    """Return True if a cached past is of this match and these hands, and not too new: it is if the
    host has just lengthened the delay.
    """
    hands = shows_hands(match, table)
    return (known.match.id, known.hands) == (match.id, hands) and known.at <= until


def shows_hands(match: MatchRow, table: Table) -> bool:
    """Return True if spectators with the present delay see all hands of a match.

    If the host has shortened the delay below the agreed one, they see no hands.
    """
    return 0 < match.hands <= table.watch


def _dealt(game: Game[Any], match: MatchRow, people: Collection[int], hands: bool) -> Past:
    """Return a match as it was dealt."""
    names: list[str] = from_json(match.names, list)
    table = Table(chairs=[None] * len(names), options=Raw(b"null"), host=0, seats=names)
    table.heard[key(None)] = match.number * MATCH  # distinct line numbers for each match
    table.hear([Event("table.started", {"match": match.number})], AROUND)
    done = match.begun(game)
    table.hear((event for event in done.events if event.to is None), game.words)
    at = match.started_at
    return Past(match, people, match.key, 0, at, done.state, table, hands=hands)


def _advanced(game: Game[Any], past: Past, moves: Moves) -> Past:
    """Return the match after more moves; `past` is not changed."""
    if not moves:
        return past
    state, changes = past.state, past.changes
    table = _listening_on(past.table)
    shown = _shown(game, state, table, past.hands)
    texts = [text for text, _ in moves]
    course = LogReplay(game, copied(state), past.key, texts, past.seq)
    for text in texts:
        _, done = course.play(text)
        state, table.seq = done.state, course.number
        table.hear((event for event in done.events if event.to is None), game.words)
        before, shown = shown, _shown(game, state, table, past.hands)
        changes += before != shown
    at = moves[-1][1]
    return replace(past, seq=table.seq, at=at, state=state, table=table, changes=changes)


def _shown(game: Game[Any], state: Any, table: Table, hands: bool) -> tuple[Any, ...]:
    """Return everything that spectators see of a match, for comparison."""
    view = Position(game, state, hands=hands).view(None)
    return view, waiting_for(game, state), table.heard[key(None)]


def _listening_on(old: Table) -> Table:
    """Return a copy whose log can grow without changing the old table."""
    table = Table(chairs=old.chairs, options=old.options, host=old.host, seats=old.seats)
    table.seq, table.order = old.seq, old.order
    table.told, table.heard = old.told, dict(old.heard)
    return table


def as_viewed(snapshot: TableSnapshot, now: float, pasts: Pasts) -> TableSnapshot:
    """Return the table as its viewer may see it. Players seated there see all of it."""
    table = snapshot.table
    occupant = table.occupant_of(snapshot.player)
    is_new = (
        occupant is not None and occupant.after == table.match
    )  # they see no more of the last match than a spectator
    if table.watch == 0 or not table.match or (occupant is not None and not is_new):
        return snapshot
    if table.watch == WATCHED_BY_NOBODY:
        return _closed(snapshot, now) if table.playing else _between(snapshot, now)
    until = now - 60 * table.watch
    if snapshot.frozen:
        return _closed(snapshot, now, until)
    try:
        past = pasts.at(snapshot, until)
    except LookupError:
        past = None
    if past is None:
        return _closed(snapshot, now, until) if table.playing else _between(snapshot, now)
    ended = past.match.ended_at is not None and past.match.ended_at <= until
    if ended and not table.playing and past.match.number == table.match:
        return snapshot
    return replace(_late(snapshot, past, ended, until), touched_at=now)


def _closed(snapshot: TableSnapshot, now: float, until: float = -inf) -> TableSnapshot:
    """Return a table that shows only that a match is running."""
    old = snapshot.table
    table = Table(chairs=[], options=old.options, host=NO_HOST, playing=True, watch=old.watch)
    table.hush, table.audience = old.hush, old.audience
    table.revisions[key(None)] = (CLOSED + old.match) * CHOICES + old.watch + 1
    nothing = _nothing_of_the_match(snapshot, table, now)
    return replace(nothing, until=until, closed=True)


def _between(snapshot: TableSnapshot, now: float) -> TableSnapshot:
    """Return the table without its last match, so that players can sit down for the next."""
    old = snapshot.table
    table = Table(chairs=old.chairs, options=old.options, host=old.host, watch=old.watch)
    table.hush, table.audience, table.next_seed = old.hush, old.audience, old.next_seed
    viewer = key(snapshot.me)
    table.revisions[viewer] = BETWEEN * CHOICES + old.revisions.get(viewer, 0)
    return _nothing_of_the_match(snapshot, table, now)


def _nothing_of_the_match(snapshot: TableSnapshot, table: Table, now: float) -> TableSnapshot:
    nothing = Position(snapshot.game, None)
    return replace(snapshot, table=table, position=nothing, seed=None, key=None, touched_at=now)


def _late(snapshot: TableSnapshot, past: Past, ended: bool, until: float) -> TableSnapshot:
    """Return the table as it was at `until`."""
    old, match = snapshot.table, past.match
    # Not the present seats: they would reveal who has since left or been replaced. Names are the
    # present ones: the server's host may have replaced one.
    names = old.seats if old.match_id == match.id else past.table.seats
    chairs: list[Occupant | None] = [
        Occupant(name, 0 if seat in past.people else None) for seat, name in enumerate(names)
    ]
    table = _listening_on(past.table)
    table.seats = names
    table.chairs, table.options, table.host = chairs, Raw(match.options.encode()), NO_HOST
    table.watch, table.hush, table.audience = old.watch, old.hush, old.audience
    table.match, table.match_id, table.seq = match.number, match.id, past.seq
    table.playing, table.state = not ended, Raw(to_json(past.state))
    table.commitment, table.next_seed = commitment(match.seed), old.next_seed
    number = match.number * MATCH + 2 * past.changes + ended
    table.revisions[key(None)] = number * CHOICES + old.watch
    if ended:
        table.outcome = from_json(match.outcome, Outcome) if match.outcome else None
        table.record = match.code
        if not old.by_house:
            table.hear([Event("table.over", {})], AROUND)
    seats = 0 if ended else len(table.seats)
    position = Position(snapshot.game, past.state, seats, past.hands)
    table.hands = match.hands if past.hands else 0
    seed = match.seed if ended else None
    return replace(snapshot, table=table, position=position, seed=seed, key=None, until=until)
