"""What spectators may see: everything public at once, the same some minutes later, or nothing while
a match is on. If they see it later and every player agreed before the deal, they see all hands.

The past is rebuilt from seed and move log, so nothing newer can be in it. That a match is on, and
who sits at the table between two matches, is never a secret.
"""

from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any

from msgspec import Raw
from sqlalchemy import Connection

from kaboom.db.database import Database
from kaboom.engine.codec import copied, from_json, to_json
from kaboom.engine.engine import start, waiting_for
from kaboom.engine.game import Game
from kaboom.engine.log_replay import Course
from kaboom.engine.play import Event
from kaboom.engine.rng import commitment, match_key
from kaboom.engine.takeback import takes_back
from kaboom.engine.views import Outcome
from kaboom.tables.change import TableChange
from kaboom.tables.position import Position
from kaboom.tables.queries import MatchRow
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.spectators import queries as store
from kaboom.tables.table import NOBODY, WATCHED_BY_NOBODY, Chair, Table, key
from kaboom.tables.texts import AROUND

DELAYS = (0, 1, 3, 5, 10, 30, WATCHED_BY_NOBODY)  # minutes of delay that can be chosen

KEPT = 200  # tables whose past is kept in memory
FEW = 100  # moves rebuilt in the calling thread; more are done aside

# Revisions for what spectators are shown instead of the table, kept clear of its own small ones.
MATCH, CLOSED, BETWEEN = 100_000, 80_000_000, 90_000_000
CHOICES = 64  # more than the largest delay, which is told too


def agree_on_hands(change: TableChange) -> None:
    """Note after how many minutes spectators see all hands of the match that begins, and say so.

    0 is never: everybody who sits there must have agreed to just that delay.
    """
    table = change.table
    answers = {chair.hands for _, chair in table.sitting() if not chair.bot}
    table.hands = table.watch if table.watch > 0 and answers == {table.watch} else 0
    if table.hands:
        change.tell("table.hands", minutes=table.hands)


@dataclass(frozen=True, slots=True)
class Past:
    """A match as far as it has been rebuilt: its state after `seq` moves, and what was said.

    `changes` is how many of these moves changed what is shown. Others were made in secret: nobody
    may know how many.
    """

    match: MatchRow
    people: Collection[int]  # the seats not played by bots
    key: bytes
    seq: int
    at: float  # when the last of these moves was made
    state: Any
    table: Table  # only what was told is kept in it
    changes: int = 0
    hands: bool = False  # are all hands shown?


Moves = Sequence[tuple[str, float]]  # texts of moves, and when each was made


class NothingYet(Exception):
    """No match had begun by then."""


class Pasts:
    """The matches rebuilt for spectators who see them later. `aside` is where long work is done."""

    def __init__(self, database: Database, aside: Callable[..., Any]) -> None:
        self._database = database
        self._aside = aside
        self._kept: OrderedDict[str, Past] = OrderedDict()

    def at(self, snapshot: TableSnapshot, until: float) -> Past | None:
        """Return the last match begun by then as it was then; None when there was none.

        Raises LookupError when it cannot be rebuilt, such as under newer rules.
        """
        code, game = snapshot.code, snapshot.game
        known = self._kept.get(code)

        def read(connection: Connection) -> tuple[MatchRow, Past | Collection[int], Moves]:
            match = store.begun_by(connection, code, until)
            if match is None:
                raise NothingYet
            # It may be too new, if the host has just made the delay longer.
            if (
                known is not None
                and (known.match.id, known.hands) == (match.id, shows_hands(match, snapshot.table))
                and known.at <= until
            ):
                later = store.moves_by(connection, match.id, known.seq, until)
                if not any(takes_back(text) for text, _ in later):
                    return match, known, later
            people = store.seats_of_people(connection, match.id)
            return match, people, store.moves_by(connection, match.id, 0, until)

        try:
            match, known_or_people, moves = self._database.read(read)
        except NothingYet:
            return None
        if match.game_version != game.version:
            raise LookupError(f"version {match.game_version} of {game.name} is gone")
        work = self._aside if len(moves) > FEW else _here
        if isinstance(known_or_people, Past):
            past = known_or_people
        else:
            hands = shows_hands(match, snapshot.table)
            past = _dealt(game, match, known_or_people, hands)
        past = replace(work(_advanced, game, past, moves), match=match)
        self._kept[code] = past
        self._kept.move_to_end(code)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return past


def _here(work: Callable[..., Past], *args: Any) -> Past:
    return work(*args)


def shows_hands(match: MatchRow, table: Table) -> bool:
    """Say whether spectators, as late as they are now, are shown all hands of a match.

    If the host lets them see it earlier than its players agreed to, they see no hands.
    """
    return 0 < match.hands <= table.watch


def _dealt(game: Game[Any], match: MatchRow, people: Collection[int], hands: bool) -> Past:
    """Return a match as it was dealt."""
    names: list[str] = from_json(match.names, list)
    chance_key = match_key(match.seed, from_json(match.cuts, list))
    options = from_json(match.options, game.options)
    table = Table(chairs=[None] * len(names), options=Raw(b"null"), host=0, seats=names)
    table.heard[key(None)] = match.number * MATCH  # lines are renumbered, and never share a number
    table.hear([Event("table.started", {"match": match.number})], AROUND)
    done = start(game, len(names), options, chance_key, bool(match.board))
    table.hear((event for event in done.events if event.to is None), game.words)
    begun = match.started_at
    return Past(match, people, chance_key, 0, begun, done.state, table, hands=hands)


def _advanced(game: Game[Any], past: Past, moves: Moves) -> Past:
    """Return the match after more moves; `past` stays as it was."""
    if not moves:
        return past
    state, changes = past.state, past.changes
    table = _listening_on(past.table)
    shown = _shown(game, state, table, past.hands)
    texts = [text for text, _ in moves]
    course = Course(game, copied(state), past.key, texts, past.seq)
    for text in texts:
        _, done = course.play(text)
        state, table.seq = done.state, course.number
        table.hear((event for event in done.events if event.to is None), game.words)
        before, shown = shown, _shown(game, state, table, past.hands)
        changes += before != shown
    at = moves[-1][1]
    return replace(past, seq=table.seq, at=at, state=state, table=table, changes=changes)


def _shown(game: Game[Any], state: Any, table: Table, hands: bool) -> tuple[Any, ...]:
    """Return what spectators are shown of a match."""
    view = Position(game, state, hands=hands).view(None)
    return view, waiting_for(game, state), table.heard[key(None)]


def _listening_on(old: Table) -> Table:
    """Return a copy that can be told more without a trace in the old one."""
    table = Table(chairs=old.chairs, options=old.options, host=old.host, seats=old.seats)
    table.seq, table.order = old.seq, old.order
    table.told, table.heard = old.told, dict(old.heard)
    return table


def as_viewed(snapshot: TableSnapshot, now: float, pasts: Pasts) -> TableSnapshot:
    """Return the table as the person asking may see it; anyone seated there sees all of it."""
    table = snapshot.table
    chair = table.chair_of(snapshot.player)
    is_new = chair is not None and chair.after == table.match  # of the last match they see no more
    if table.watch == 0 or not table.match or (chair is not None and not is_new):
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
    """Return only that a match is on."""
    old = snapshot.table
    table = Table(chairs=[], options=old.options, host=NOBODY, playing=True, watch=old.watch)
    table.hush, table.audience = old.hush, old.audience
    table.revisions[key(None)] = (CLOSED + old.match) * CHOICES + old.watch + 1
    nothing = _nothing_of_the_match(snapshot, table, now)
    return replace(nothing, until=until, closed=True)


def _between(snapshot: TableSnapshot, now: float) -> TableSnapshot:
    """Return the table as if no match had been played yet: people may sit down for the next."""
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
    """Return the table as it was some minutes ago."""
    old, match = snapshot.table, past.match
    # Who has left, or let a bot take over, may be news: nothing is taken from today's chairs.
    chairs: list[Chair | None] = [
        Chair(name, 0 if seat in past.people else None)
        for seat, name in enumerate(past.table.seats)
    ]
    table = _listening_on(past.table)
    table.chairs, table.options, table.host = chairs, Raw(match.options.encode()), NOBODY
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
