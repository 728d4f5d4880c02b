"""All prompts of a game, found by playing it, because no single match in a browser reaches all of
them.

A sight is a position with the prompt of one seat. Two sights are of the same kind if they have the
same texts, the same possible actions and as many seats.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from kaboom.engine.engine import must_answer, prompts, random_move, start, step
from kaboom.engine.game import Game
from kaboom.engine.moves import CLOCK, Move, Seat
from kaboom.engine.play import Event
from kaboom.engine.rng import Rng
from kaboom.engine.toolkit.fixtures import Values
from kaboom.engine.views import Prompt
from kaboom.games import GAMES, sample

MOST = 400  # moves of a match
STALE = 150  # moves without a new kind after which a match ends
HAND = 14  # cards
EVERY = 3  # moves between checks of texts when no action is new


@dataclass(frozen=True)
class Kind:
    """What two sights have in common: texts, possible actions, and number of seats."""

    said: str
    verbs: tuple[str, ...]
    seats: int

    def __str__(self) -> str:
        return f"{self.said}[{' '.join(self.verbs)}] of {self.seats}"


@dataclass(frozen=True, eq=False)
class Sight:
    """A position as prompted to a seat, with the preceding events."""

    game: str
    kind: Kind
    values: Values
    seat: Seat
    state: Any
    events: Sequence[Event]
    prompt: Prompt


def verbs_of(game: Game[Any]) -> set[str]:
    """Return all actions of a game's players, by the verbs in its words."""
    return {verb for verb in game.words.offers if "." not in verb} - {*game.hosts}


def sights(key: str) -> list[Sight]:
    """Return one sight of each kind found in random matches. Of several, the one with the most
    buttons is kept, and otherwise the first one, unless its hand is larger than people would have.
    """
    game, found = GAMES[key], dict[Kind, tuple[tuple[int, int], Sight]]()
    for number, values in enumerate(ways(key)):
        options = game.options(**values)
        many = game.playable(options)
        for seats in sorted({min(max(4, many[0]), many[-1]), *((many[-1],) if not number else ())}):
            for shy in (False, True):
                _go_along(game, values, seats, bytes([number, shy, *[seats] * 30]), shy, found)
    return [sight for _, (_, sight) in sorted(found.items(), key=lambda it: str(it[0]))]


def ways(key: str) -> list[Values]:
    """Return the options a game is walked with: the defaults, its presets, those of its tests."""
    known = sample(key)
    presets = (it.values for it in GAMES[key].presets)
    every = [{}, *known.variants, *known.apart.values(), *presets]
    return [values for n, values in enumerate(every) if values not in every[:n]]


def _go_along(
    game: Game[Any],
    values: Values,
    seats: int,
    seed: bytes,
    shy: bool,
    found: dict[Kind, tuple[tuple[int, int], Sight]],
) -> None:
    """Play a match at random and add to `found` what is new, or has more buttons."""
    done, new, seen = start(game, seats, game.options(**values), seed), 0, set[Any]()
    for number in range(1, MOST + 1):
        if game.outcome(done.state) is not None or number - new > STALE:
            return
        for prompt in prompts(tuple(game.listeners(done.state)), seats):
            verbs = tuple(sorted({it.verb for it in prompt.offers}))
            if verbs in seen and number % EVERY:
                continue
            seen.add(verbs)
            view = game.view(done.state, prompt.seat)
            kind = Kind(view.saying.kind, verbs, seats)
            places = {place for zone in view.zones for place in zone.places}
            buttons = sum(len({*it.options} - places) or not it.options for it in prompt.offers)
            held = max((len(it.cards) for it in view.zones if it.owner == prompt.seat), default=0)
            full = buttons, -max(0, held - HAND)
            if kind not in found or found[kind][0] < full:
                new = number if kind not in found else new
                sight = Sight(game.key, kind, values, prompt.seat, done.state, done.events, prompt)
                found[kind] = full, sight
        move = _some_move(game, done.state, seats, Rng(seed, number, "players"), shy)
        done = step(game, done.state, move, Rng(seed, number))


def _some_move(game: Game[Any], state: Any, seats: int, rng: Rng, shy: bool) -> Move:
    """Return a move of an awaited player, now and then of another one. The `shy` avoid moves that
    end something early (`Sample.rare`).
    """
    rare = sample(game.key).rare
    waited = must_answer(game, state)
    idle = [seat for seat in range(seats) if seat not in waited]
    order = rng.shuffled(waited) + rng.shuffled(idle)
    if idle and rng.randrange(8) == 0:
        order = rng.shuffled(idle) + order
    left = None
    for seat in [*order, CLOCK]:
        for _ in range(3 if shy else 1):
            move = random_move(game, state, seat, rng)
            if move is not None and not (shy and move.verb in rare):
                return move
            left = left or move
    assert left is not None, "no player can move, but the match is not over"
    return left


def by_table(found: Sequence[Sight]) -> Iterator[tuple[Values, int, list[Sight]]]:
    """Yield the sights reachable at one kind of table: its options, its number of players, and the
    sights.
    """
    tables = dict[tuple[str, int], list[Sight]]()
    for it in found:
        tables.setdefault((repr(it.values), it.kind.seats), []).append(it)
    for (_, seats), together in tables.items():
        yield together[0].values, seats, together
