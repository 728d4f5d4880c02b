"""The decisions of a seat in a finished match, with the view and memory it had. Pure functions.

Preparatory moves count as one decision with the move that completes them. It is judged from the
state before the first of them, as the single move with the same effect.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from msgspec import UNSET

from kaboom.engine.codec import copied, from_json, to_json
from kaboom.engine.continued_match import begun, listen, memory_at_start
from kaboom.engine.engine import find, prompt
from kaboom.engine.game import Game
from kaboom.engine.log_replay import LogReplay
from kaboom.engine.moves import Move, Refusal, Seat
from kaboom.engine.takeback import standing
from kaboom.engine.views import Prompt
from kaboom.records.replay import Replay
from kaboom.tables.match_record import options_of

BY_OTHERS = ("bot ", "clock ")  # command prefixes of moves made on a player's behalf


@dataclass(frozen=True, slots=True)
class Decision:
    """A seat's move with what the seat knew: the state before it, of which only the seat's view
    is used, and the bot's memory. Both are JSON.
    """

    step: int  # the step that made the move
    before: int  # the step before the decision
    move: Move
    state: bytes
    memory: bytes

    def position(self, game: Game[Any]) -> tuple[Any, Any]:
        """Return the state before the decision and the bot's memory at that point."""
        assert game.bot is not None
        return from_json(self.state, game.state), from_json(self.memory, game.bot.memory)


def decisions_of(replay: Replay, seat: Seat) -> list[Decision]:
    """Return a seat's decisions in order, except moves made for it and moves without an
    alternative.
    """
    return [it for it in _all(replay, seat) if _has_choice(replay.game, it)]


def _has_choice(game: Game[Any], decision: Decision) -> bool:
    state, _unused = decision.position(game)
    return several(prompt(game, state, decision.move.seat), game)


def several(own: Prompt, game: Game[Any]) -> bool:
    """Return True if a prompt lets its seat choose between moves."""
    offers = [it for it in own.offers if it.verb not in game.quick | game.pieces]
    found = 0
    for offer in offers:
        if offer.most == 0 or offer.least == 0:
            found += 1
        if offer.most > 0 and offer.playable:
            found += 1 if offer.least == len(offer.playable) else 2
    return found > 1


def _all(replay: Replay, seat: Seat) -> Iterator[Decision]:
    """Yield the seat's decisions, without preparatory moves or moves such as “ready”."""
    game = replay.game
    start: Decision | None = None  # the first preparatory move of a decision
    built: list[str] = []
    last: Decision | None = None  # may be revised until another event occurs
    for at in _own_moves(replay, seat):
        now, heard = at
        verb = now.move.verb
        if last is not None:
            if heard or verb not in game.drafts - game.pieces:
                yield last
            last = None
        if verb in game.pieces:
            start = start or now
            if now.move.choices:
                built.extend(now.move.choices)
            elif built:
                built.pop()
            continue
        whole = _at_once(game, start or now, now, built)
        start, built = None, []
        if verb in game.quick or whole is None:
            continue
        if verb in game.drafts:
            last = whole
        else:
            yield whole
    if last is not None:
        yield last


def _own_moves(replay: Replay, seat: Seat) -> Iterator[tuple[Decision, bool]]:
    """Yield each move the seat made itself, with True if it received another seat's event after its
    previous move.
    """
    record, game = replay.record, replay.game
    state, memory = _at_start(replay, seat)
    course, heard = LogReplay(game, state, replay.key), False
    assert game.bot is not None  # otherwise the coach has nothing to say
    for number, text in standing(move.text for move in record.moves[: replay.last]):
        move, mine = Move.parse(text), not record.moves[number - 1].cmd.startswith(BY_OTHERS)
        if move.seat == seat and mine:
            yield Decision(number, number - 1, move, to_json(course.state), to_json(memory)), heard
            heard = False
        course.number = number - 1
        events = course.play(text)[1].events
        heard |= move.seat != seat and any(event.heard_by(seat) for event in events)
        game.bot.hear(memory, events, seat)


def memory_before(replay: Replay, seat: Seat, step: int) -> Any:
    """Return the memory that a bot in the seat would have after a step."""
    state, memory = _at_start(replay, seat)
    texts = [it.text for it in replay.record.moves[:step]]
    return listen(replay.game, memory, state, replay.key, texts, seat)


def _at_start(replay: Replay, seat: Seat) -> tuple[Any, Any]:
    """Return the first state of a match, and the memory of a bot in the seat."""
    record, game, key = replay.record, replay.game, replay.key
    options, board = options_of(record, game), record.board is not UNSET
    seats, origin = len(record.names), record.came_from
    memory = memory_at_start(game, seats, options, key, board, origin, seat)
    return begun(game, seats, options, key, board, origin).state, memory


def _at_once(
    game: Game[Any], start: Decision, now: Decision, built: Sequence[str]
) -> Decision | None:
    """Return the decision as a single move from the state before its preparatory moves, or None
    if no single move has the same effect.
    """
    state, _unused = start.position(game)
    tries = [now.move]
    own = prompt(game, state, now.move.seat)
    tries += [
        Move(now.move.seat, offer.verb, tuple(built))
        for offer in own.offers
        if built and offer.verb not in game.pieces and offer.most > 0
    ]
    for move in tries:
        try:
            find(game, copied(state), move)
        except Refusal:
            continue
        return replace(start, step=now.step, move=move)
    return None
