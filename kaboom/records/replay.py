"""A match played again from its record: every step of it, and whether the record is true."""

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from msgspec import UNSET, to_builtins

from kaboom.db.encryption import Unreadable
from kaboom.engine.codec import from_json, to_json
from kaboom.engine.engine import start, step_on
from kaboom.engine.game import Game
from kaboom.engine.hash_chain import digest_of, links
from kaboom.engine.i18n import mark
from kaboom.engine.log_replay import Course
from kaboom.engine.moves import Move, Refusal
from kaboom.engine.options import InvalidOptions
from kaboom.engine.play import Event
from kaboom.engine.rng import Chance, commitment, match_key, places_drawn
from kaboom.engine.takeback import takes_back
from kaboom.games import GAMES
from kaboom.tables import queries
from kaboom.tables.match_record import Record, options_of
from kaboom.tables.service import Tables

EVERY = 32  # steps between two states that are kept; those between are replayed when asked for.
# The state after a move was taken back is kept, too.
MOST_STEPS = 20_000  # kept in memory, of all replays together


@dataclass(frozen=True, slots=True)
class Happened:
    """One step of a match: the move (None for the deal), and what was said."""

    move: Move | None
    events: Sequence[Event]


@dataclass(frozen=True)
class Replay:
    """A match with all its steps; step 0 is the deal.

    `broken` tells why the moves from `len(steps)` on could not be played, and is empty if all could
    be; `wrong` is everything in the record that is not true. Both are in English, for say().
    """

    record: Record
    game: Game[Any]
    key: bytes
    steps: Sequence[Happened] = ()
    kept: Mapping[int, bytes] = field(default_factory=dict)
    broken: str = ""
    wrong: Sequence[str] = ()

    @property
    def last(self) -> int:
        """Return the number of the last step."""
        return len(self.steps) - 1

    def state(self, number: int) -> Any:
        """Return the state after a step."""
        last = next(each for each in range(number, -1, -1) if each in self.kept)
        state = from_json(self.kept[last], self.game.state)
        for each in range(last + 1, number + 1):
            move = self.steps[each].move
            assert move is not None
            state, _ = played_on(self.game, state, move, Chance(self.key, each))
        return state

    def landmarks(self, kind: str) -> list[int]:
        """Return the steps in which something of that kind (round, turn, event) happened."""
        marks = self.game.landmarks
        return [
            number
            for number, step in enumerate(self.steps)
            if any(marks.get(event.kind) == kind for event in step.events)
        ]


def played_on(game: Game[Any], state: Any, move: Move, chance: Chance) -> tuple[Any, Happened]:
    """Return the state after a move, and what happened; `state` itself is changed.

    Raises NotOnOffer or IllegalMove; then `state` is as it was.
    """
    done = step_on(game, state, move, chance)
    return done.state, Happened(move, done.events)


def checked(record: Record) -> Replay:
    """Return a record's match, with whatever in the record is not true."""
    replay = rebuilt(record)
    return replace(replay, wrong=[*differences(record), *disagreements(replay)])


def rebuilt(record: Record) -> Replay:
    """Return a record's match as far as its moves can be played."""
    game, key = GAMES[record.game], record.key
    if game.version != record.game_version:
        gone = mark("It was played by rules this server no longer has.")
        return Replay(record, game, key, broken=gone)
    try:
        options = options_of(record, game)
    except InvalidOptions:
        others = mark("The options are not those of this game.")
        return Replay(record, game, key, broken=others)
    dealt = start(game, len(record.names), options, key, record.board is not UNSET)
    steps, kept, broken = [Happened(None, dealt.events)], {0: to_json(dealt.state)}, ""
    try:
        course = Course(game, dealt.state, key, [logged.text for logged in record.moves])
        for number, logged in enumerate(record.moves, start=1):
            move, done = course.play(logged.text)
            steps.append(Happened(move, done.events))
            if number % EVERY == 0 or takes_back(logged.text):
                kept[number] = to_json(done.state)
    except Refusal:
        broken = mark("A move in it is not possible.")
    return Replay(record, game, key, steps, kept, broken)


class Replays:
    """The replays last asked for, so that leafing through one plays it only once."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Replay] = OrderedDict()

    def get(self, name: str) -> Replay | None:
        """Return the replay of that name if it is still here."""
        found = self._kept.get(name)
        if found is not None:
            self._kept.move_to_end(name)
        return found

    def keep(self, name: str, replay: Replay) -> Replay:
        """Keep a replay, and only as many in all as there is room for; return it."""
        self._kept[name] = replay
        while len(self._kept) > 1 and self._steps() > MOST_STEPS:
            self._kept.popitem(last=False)
        return replay

    def _steps(self) -> int:
        return sum(len(replay.steps) for replay in self._kept.values())


# Whether a record is true


def differences(record: Record) -> Iterator[str]:
    """Yield what does not fit together in a record, without playing it. English, for say()."""
    seed = bytes.fromhex(record.seed)
    if commitment(seed) != record.commitment:
        yield mark("The seed is not the one that was promised before the deal.")
    if record.board is not UNSET and (record.board.seed != seed or any(record.cuts)):
        yield mark("The deal is not the one that was promised for all its tables.")
    if not _drawn_by_lot(record, seed):
        yield mark("The seats are not those that the lot gives.")
    key = record.key
    *_, last = record.commitment, *links(key, record.commitment, record.moves)
    if last != record.chain:
        yield mark("The moves are not those that were logged: their chain is broken.")
    if digest_of(key, to_builtins(record)) != record.digest:
        yield mark("Something in it was changed after it was closed.")


def _drawn_by_lot(record: Record, seed: bytes) -> bool:
    """Say whether the seats are those that were drawn, or none were to be drawn."""
    cuts = record.cuts or [""] * len(record.names)
    seating = str(record.options.get("seating", "sat"))
    if record.board is not UNSET:  # everybody sits where they were put
        return not record.drawn
    return (record.drawn or []) == places_drawn(seed, cuts, seating)


def disagreements(replay: Replay) -> Iterator[str]:
    """Yield where the rules lead elsewhere than the record says. English, for say()."""
    if replay.broken:
        yield replay.broken
        return
    stated = replay.record.outcome
    reached = replay.game.outcome(replay.state(replay.last))
    if reached is None and stated.reason == "stopped":
        return  # those at the table ended it
    if reached is None:
        yield mark("After its last move the match is not over.")
    elif reached != stated:
        yield mark("The result is not what the moves lead to.")


# A table's running match


@dataclass(frozen=True, slots=True)
class Check:
    """What a replay found: `moves` replayed, and what is wrong in sentences (none: all is well)."""

    moves: int
    wrong: list[str]


def check(tables: Tables, code: str) -> Check:
    """Return whether a table's current match is what its log says; raises TableNotFound."""
    snapshot = tables.look(code)
    table = snapshot.table
    if not table.match:
        return Check(0, [])

    def work(connection: Any) -> tuple[queries.MatchRow | None, Sequence[queries.MoveRow]]:
        return queries.match(connection, table.match_id), queries.log(connection, table.match_id)

    try:
        match, log = tables.database.read(work)
    except Unreadable as broken:
        return Check(0, [str(broken)])
    assert match is not None
    log = [row for row in log if row.seq <= table.seq]  # it may have gone on meanwhile
    return Check(len(log), list(_wrong(match, log, table.seq, to_json(snapshot.state))))


def _wrong(
    match: queries.MatchRow, log: Sequence[queries.MoveRow], moves: int, last: bytes
) -> Iterator[str]:
    """Yield what is wrong with a stored match; `last` is its stored state after so many moves."""
    if [row.seq for row in log] != list(range(1, moves + 1)):
        yield f"the log has {len(log)} moves where the table has {moves}"
        return
    key = match_key(match.seed, from_json(match.cuts, list))
    for row, chain in zip(log, links(key, commitment(match.seed), log), strict=True):
        if chain != row.chain:
            yield f"move {row.seq} is not what was logged: the chain breaks there"
            return
    game = GAMES[match.game]
    if game.version != match.game_version:
        yield f"version {match.game_version} of {game.name} is gone, here is {game.version}"
        return
    names: list[str] = from_json(match.names, list)
    options = from_json(match.options, game.options)
    state = start(game, len(names), options, key, bool(match.board)).state
    course = Course(game, state, key, [row.text for row in log])
    for row in log:
        course.play(row.text)
    if to_json(course.state) != last:
        yield "the stored state is not what the moves lead to"
