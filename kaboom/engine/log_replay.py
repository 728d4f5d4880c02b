"""Replay of a match from its log, move by move; moves taken back do not count."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic

from kaboom.engine.codec import copied
from kaboom.engine.engine import Step, start, step_on
from kaboom.engine.game import Game
from kaboom.engine.moves import Move, Refusal
from kaboom.engine.play import Event, S
from kaboom.engine.rng import Rng
from kaboom.engine.takeback import (
    MOST,
    VERB,
    Moment,
    can_be_taken_back,
    maker,
    not_taken_back,
    noticed,
    number_in,
    only_tells_who_is_there,
    takes_back,
    taking,
)


@dataclass
class LogReplay(Generic[S]):
    """A match played again from its deal, move by move: `play` takes each move in its log as text.

    `texts` is the whole log, from which the earlier states that its takebacks need are known in
    advance. `key` is the key for the match's random draws. Every move changes `state`; copy it to
    keep it.
    """

    game: Game[S]
    state: S
    key: bytes
    texts: Iterable[str] = ()
    number: int = 0  # moves played so far
    taken: int = 0  # number of takebacks
    _moves: dict[int, Move] = field(default_factory=dict)  # moves that were not taken back
    _before: dict[int, S] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._wanted = {number_in(text) for text in self.texts if takes_back(text)}

    def play(self, text: str) -> tuple[Move, Step[S]]:
        """Play the next move of the log; raises a Refusal, after which nothing has changed."""
        move = Move.parse(text)
        number = self.number + 1
        if move.verb == VERB:
            done = self._take_back(move)
        else:
            if number in self._wanted:
                self._before[number] = copied(self.state)
            done = step_on(self.game, self.state, move, Rng(self.key, number))
            self._moves[number] = move
        self.number, self.state = number, done.state
        return move, done

    def _take_back(self, move: Move) -> Step[S]:
        """Return the match as if a move had not been made; raises a Refusal if it cannot be taken
        back.
        """
        number, game = number_in(str(move)), self.game
        taken = self._moves.get(number)
        if taken is None or self.taken >= MOST:
            raise not_taken_back()
        since = {each: made for each, made in self._moves.items() if each > number}
        was = self._before[number]
        if maker(game, was, taken) != move.seat:
            raise not_taken_back()
        state, events, open_ = self._made(was, number, taken)
        if not open_:
            raise not_taken_back()
        without = copied(was)
        for each, made in since.items():
            before = Moment(game, state)
            done = step_on(game, copied(state), made, Rng(self.key, each))
            state = done.state
            if maker(game, before.state, made) == move.seat:
                stands = only_tells_who_is_there(made, done.events)
            else:
                stands = not noticed(move.seat, done.events, before, Moment(game, state))
            if not stands:
                raise not_taken_back()
            try:
                without = step_on(game, without, made, Rng(self.key, each)).state
            except Refusal:
                raise not_taken_back() from None
        del self._moves[number]
        self.taken += 1
        return Step(without, [taking(move.seat, events)])

    def _made(self, was: S, number: int, move: Move) -> tuple[S, Sequence[Event], bool]:
        """Return the state and events after a move, and True if it could be taken back."""
        game, rng = self.game, Rng(self.key, number)
        before = Moment(game, was)
        done = step_on(game, copied(was), move, rng, listeners=before.listeners)
        after = Moment(game, done.state)
        seats = game.seated(was)
        can = can_be_taken_back(game, seats, move, rng.drawn, done.events, before, after)
        return done.state, done.events, can


def replay(
    game: Game[S], seats: int, options: Any, seed: bytes, moves: Iterable[str]
) -> Iterator[tuple[Move | None, Step[S]]]:
    """Yield every step of a recorded match, the deal first (with None for its move)."""
    return replay_from(game, start(game, seats, options, seed), seed, moves)


def replay_from(
    game: Game[S], done: Step[S], seed: bytes, moves: Iterable[str]
) -> Iterator[tuple[Move | None, Step[S]]]:
    """Yield every step of a match from its beginning `done`, which comes first (with None for its
    move).
    """
    texts = list(moves)
    yield None, done
    course = LogReplay(game, done.state, seed, texts)
    for text in texts:
        course.state = copied(course.state)  # each step has a state of its own
        yield course.play(text)
