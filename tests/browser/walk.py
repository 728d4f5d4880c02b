"""What players of a game can be asked, found by playing it: no match in a browser meets it all.

A sight is a position as one seat is asked about it. Two sights are of the same kind if the same is
said there, the same can be done, and as many sit around the table.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from kaboom.engine.engine import must_answer, prompts, random_move, start, step
from kaboom.engine.game import Game
from kaboom.engine.moves import CLOCK, Move, Seat
from kaboom.engine.play import Event
from kaboom.engine.rng import Chance
from kaboom.engine.toolkit.fixtures import Values
from kaboom.engine.views import Prompt
from kaboom.games import GAMES, sample

MOST = 400  # moves of a match
STALE = 150  # moves after which nothing new comes any more
HAND = 14  # cards
EVERY = 3  # moves after which what is said is looked at, though nothing new can be done


@dataclass(frozen=True)
class Kind:
    """What two sights have in common: what is said, what may be done, and how many sit there."""

    said: str
    verbs: tuple[str, ...]
    seats: int

    def __str__(self) -> str:
        return f"{self.said}[{' '.join(self.verbs)}] of {self.seats}"


@dataclass(frozen=True, eq=False)
class Sight:
    """A position as a seat is asked about it, with what happened just before it."""

    game: str
    kind: Kind
    values: Values
    seat: Seat
    state: Any
    events: Sequence[Event]
    prompt: Prompt


def verbs_of(game: Game[Any]) -> set[str]:
    """Return all that players of a game can do, by the words it has for that."""
    return {verb for verb in game.words.offers if "." not in verb} - {*game.hosts}


def sights(key: str) -> list[Sight]:
    """Return a sight of each kind that some matches of random players come to; of several the one
    with the most buttons besides the cards, and of those with as many the first one, unless it has
    more cards in a hand than people have who do not play at random.
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
    """Return the options a game is played by here: as usual, its presets, those of its tests."""
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
    """Play a match at random and add what is new, or has more buttons, to what is `found`."""
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
        move = _some_move(game, done.state, seats, Chance(seed, number, "players"), shy)
        done = step(game, done.state, move, Chance(seed, number))


def _some_move(game: Game[Any], state: Any, seats: int, chance: Chance, shy: bool) -> Move:
    """Return a move of somebody the table waits for, now and then of somebody else. The `shy` never
    take what ends something early (`Sample.rare`) if they can do without.
    """
    rare = sample(game.key).rare
    waited = must_answer(game, state)
    idle = [seat for seat in range(seats) if seat not in waited]
    order = chance.shuffled(waited) + chance.shuffled(idle)
    if idle and chance.below(8) == 0:
        order = chance.shuffled(idle) + order
    left = None
    for seat in [*order, CLOCK]:
        for _ in range(3 if shy else 1):
            move = random_move(game, state, seat, chance)
            if move is not None and not (shy and move.verb in rare):
                return move
            left = left or move
    assert left is not None, "nobody can move and the match is not over"
    return left


def by_table(found: Sequence[Sight]) -> Iterator[tuple[Values, int, list[Sight]]]:
    """Yield the sights that one table can be brought to: its options, how many sit there, and
    they.
    """
    tables = dict[tuple[str, int], list[Sight]]()
    for it in found:
        tables.setdefault((repr(it.values), it.kind.seats), []).append(it)
    for (_, seats), together in tables.items():
        yield together[0].values, seats, together
