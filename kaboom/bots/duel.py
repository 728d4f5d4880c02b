"""Measures one way of playing against another in paired matches: same deals, seats swapped."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

from kaboom.core.bot import Bot
from kaboom.core.chance import Chance
from kaboom.core.engine import clocks, must_answer, prompt, random_move, start, step
from kaboom.core.game import Game
from kaboom.core.moves import Move, Seat
from kaboom.core.play import Event
from kaboom.core.views import Outcome

RANDOM = None  # the policy that draws any legal move, all equally likely
Policy = Bot[Any] | None

SOMETIMES = 8  # a random player takes one in this many chances the game does not wait for
MOST_MOVES = 20_000
NORMAL_95 = 1.96


@dataclass(frozen=True, slots=True)
class Duel:
    """How the first policy did in `pairs` pairs of matches.

    `won`, `shared` and `lost` count matches: won by its seats alone, shared, won by the other's
    alone. `rate` is its mean share of the winning seats, 0.5 between equals, and lies between `low`
    and `high` with 95 % confidence. The independent draws are the pairs, not their matches.
    """

    pairs: int
    won: int
    shared: int
    lost: int
    rate: float
    low: float
    high: float

    def __str__(self) -> str:
        return (
            f"{self.rate:.1%} (95 %: {self.low:.1%} to {self.high:.1%})"
            f" in {2 * self.pairs} matches: won {self.won}, shared {self.shared}, lost {self.lost}"
        )


def duel(
    game: Game[Any], first: Policy, second: Policy, pairs: int, seats: int, options: Any
) -> Duel:
    """Return how `first` does against `second`. The seats alternate between the two policies."""
    results = [pair(game, first, second, number, seats, options) for number in range(pairs)]
    return summed(results)


def pair(
    game: Game[Any], first: Policy, second: Policy, number: int, seats: int, options: Any
) -> tuple[float, float]:
    """Return the first policy's share of the win in two matches of one seed, seats swapped."""
    seed = number.to_bytes(32, "big")
    shares = []
    for swap in (0, 1):
        own = [seat for seat in range(seats) if seat % 2 == swap]
        policies = [first if seat in own else second for seat in range(seats)]
        # If nobody wins, it counts as if everybody had.
        winners = played(game, policies, options, seed).winners or range(seats)
        shares.append(sum(seat in own for seat in winners) / len(winners))
    return shares[0], shares[1]


def summed(results: Sequence[tuple[float, float]]) -> Duel:
    """Return the results of all pairs as one."""
    means = [(one + other) / 2 for one, other in results]
    rate = sum(means) / len(means)
    spread = sqrt(sum((mean - rate) ** 2 for mean in means) / max(1, len(means) - 1))
    margin = NORMAL_95 * spread / sqrt(len(means))
    each = [share for result in results for share in result]
    won, lost = each.count(1.0), each.count(0.0)
    shared = len(each) - won - lost
    low, high = max(0.0, rate - margin), min(1.0, rate + margin)
    return Duel(len(means), won, shared, lost, rate, low, high)


def played(game: Game[Any], policies: Sequence[Policy], options: Any, seed: bytes) -> Outcome:
    """Return how a match between these policies ends, seat 0 first.

    Each policy is given its own seat's view, prompt and events, nothing else. Raises RuntimeError
    when the match does not end.
    """
    memories = [policy.memory() if policy else None for policy in policies]
    done = start(game, len(policies), options, seed)
    for number in range(1, MOST_MOVES):
        notice(policies, memories, done.events)
        end = game.outcome(done.state)
        if end is not None:
            return end
        move = next_move(game, done.state, policies, memories, seed, number)
        done = step(game, done.state, move, Chance(seed, number))
    raise RuntimeError(f"{game.key} did not end in {MOST_MOVES} moves")


def notice(policies: Sequence[Policy], memories: Sequence[Any], events: Sequence[Event]) -> None:
    """Let every bot hear what its seat hears."""
    for seat, policy in enumerate(policies):
        if policy is not None:
            for event in events:
                if event.heard_by(seat):
                    policy.notice(memories[seat], event, seat)


def next_move(
    game: Game[Any],
    state: Any,
    policies: Sequence[Policy],
    memories: Sequence[Any],
    seed: bytes,
    number: int,
) -> Move:
    """Return a seat's move: seats that need not move go first; the clock moves when nobody can."""
    waited = must_answer(game, state)
    idle = [seat for seat in range(len(policies)) if seat not in waited]
    for seat in idle + waited:
        chance = Chance(seed, number, f"bot {seat}")
        move = chosen(game, state, seat, policies[seat], memories[seat], chance, seat in idle)
        if move is not None:
            return move
    timed = min(clocks(game, state), key=lambda listener: listener.after or 0)
    return timed.clock_move


def chosen(
    game: Game[Any],
    state: Any,
    seat: Seat,
    policy: Policy,
    memory: Any,
    chance: Chance,
    idle: bool,
) -> Move | None:
    """Return the move a policy makes for a seat, or None if it has none or passes the chance up."""
    if policy is None:
        return None if idle and chance.below(SOMETIMES) else random_move(game, state, seat, chance)
    own = prompt(game, state, seat)
    return policy.choose(memory, game.view(state, seat), own, chance) if own.offers else None
