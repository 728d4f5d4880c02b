"""Replay of a match from its record: its steps and its faults; pages.py shows them."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec import UNSET

from kaboom.engine.codec import from_json, to_json
from kaboom.engine.continued_match import begun
from kaboom.engine.engine import step_on
from kaboom.engine.game import Game
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.engine.log_replay import LogReplay
from kaboom.engine.moves import Move, Refusal
from kaboom.engine.options import InvalidOptions
from kaboom.engine.play import Event
from kaboom.engine.rng import Rng
from kaboom.engine.takeback import takes_back
from kaboom.games import GAMES
from kaboom.tables.match_record import Record, options_of

EVERY = 32  # steps between two cached states; the states between them are replayed on request.
# The state after a takeback is cached as well.
MOST_STEPS = 20_000  # cached, for all replays together


@dataclass(frozen=True, slots=True)
class Happened:
    """One step of a match: the move (None for the deal) and its log lines."""

    move: Move | None
    events: Sequence[Event]


@dataclass(frozen=True)
class Replay:
    """A match with all its steps; step 0 is the deal.

    `broken` is the reason why the moves from `len(steps)` on could not be played, empty if all
    could be; `wrong` lists the faults of the record. Both are in English, for gettext().
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

    @property
    def is_genuine(self) -> bool:
        """Return True if the record has no faults and can be replayed."""
        return bool(self.steps) and not self.wrong

    def state(self, number: int) -> Any:
        """Return the state after a step."""
        last = next(each for each in range(number, -1, -1) if each in self.kept)
        state = from_json(self.kept[last], self.game.state)
        for each in range(last + 1, number + 1):
            move = self.steps[each].move
            assert move is not None
            state = step_on(self.game, state, move, Rng(self.key, each)).state
        return state

    def landmarks(self, kind: str) -> list[int]:
        """Return the steps that have a landmark of a kind (round, turn, event, result)."""
        marks = self.game.landmarks
        return [
            number
            for number, step in enumerate(self.steps)
            if any(marks.get(event.kind) == kind for event in step.events)
        ]


def rebuilt(record: Record) -> Replay:
    """Return the replay of a record, up to the first move that cannot be played."""
    game, key = GAMES[record.game], record.key
    if game.version != record.game_version:
        gone = N_("It was played under rules that this server no longer has.")
        return Replay(record, game, key, broken=gone)
    try:
        options = options_of(record, game)
    except InvalidOptions:
        others = N_("The options do not belong to this game.")
        return Replay(record, game, key, broken=others)
    board, origin = record.board is not UNSET, record.came_from
    try:
        dealt = begun(game, len(record.names), options, key, board, origin)
    except Refusal:
        nowhere = N_("It contains a move that is not possible.")
        return Replay(record, game, key, broken=nowhere)
    steps, kept, broken = [Happened(None, dealt.events)], {0: to_json(dealt.state)}, ""
    try:
        course = LogReplay(game, dealt.state, key, [logged.text for logged in record.moves])
        for number, logged in enumerate(record.moves, start=1):
            move, done = course.play(logged.text)
            steps.append(Happened(move, done.events))
            if number % EVERY == 0 or takes_back(logged.text):
                kept[number] = to_json(done.state)
    except Refusal:
        broken = N_("It contains a move that is not possible.")
    return Replay(record, game, key, steps, kept, broken)


class Replays:
    """A cache of recent replays, so that paging through a match replays it only once."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Replay] = OrderedDict()

    def get(self, name: str) -> Replay | None:
        """Return the cached replay with that name, or None."""
        found = self._kept.get(name)
        if found is not None:
            self._kept.move_to_end(name)
        return found

    def keep(self, name: str, replay: Replay) -> Replay:
        """Cache a replay and return it; the oldest ones are dropped to stay within the limit."""
        self._kept[name] = replay
        while len(self._kept) > 1 and self._steps() > MOST_STEPS:
            self._kept.popitem(last=False)
        return replay

    def _steps(self) -> int:
        return sum(len(replay.steps) for replay in self._kept.values())
