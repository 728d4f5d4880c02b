"""Measures one way of playing in a field of others: each deal is played from every seat.

Whoever may act but need not is asked in random order, and before those the game waits for: a race
is won by chance, not by the number of a seat.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

from kaboom.core.bot import Bot, Level
from kaboom.core.chance import Chance
from kaboom.core.engine import prompts, start, step_on, timed
from kaboom.core.game import Game
from kaboom.core.moves import Move, Seat
from kaboom.core.play import Event
from kaboom.core.views import Prompt

MOST_MOVES = 20_000
NORMAL_95 = 1.96


@dataclass(frozen=True, slots=True)
class Player:
    """A bot and how well it plays."""

    bot: Bot[Any]
    level: Level = Level.HARD


@dataclass
class Share:
    """How much of the wins one player took: a mean of deals, and 95 % to both sides of it.

    `times` are the seconds of each of its decisions.
    """

    shares: list[float] = field(default_factory=list)
    times: list[float] = field(default_factory=list)

    @property
    def mean(self) -> float:
        """Return the mean share."""
        return sum(self.shares) / len(self.shares)

    @property
    def margin(self) -> float:
        """Return how far the true share may lie from the mean, with 95 % confidence."""
        spread = sum((share - self.mean) ** 2 for share in self.shares) / max(
            1, len(self.shares) - 1
        )
        return NORMAL_95 * sqrt(spread / len(self.shares))

    def __str__(self) -> str:
        said = f"{100 * self.mean:.1f} ± {100 * self.margin:.1f} % of {len(self.shares)} deals"
        if self.times:
            mean, most = sum(self.times) / len(self.times), max(self.times)
            said += f"; {1000 * mean:.2f} ms a decision, at most {1000 * most:.0f} ms"
        return said


Watch = Callable[[Any, Sequence[Event]], None]


class Match:
    """A match between players, each of whom is given what its seat sees and hears.

    `chosen(state, seat)` returns who plays for a seat, which may change from stage to stage.
    """

    def __init__(self, game: Game[Any], options: Any, seed: bytes, memories: Sequence[Any]) -> None:
        self.game, self.seed, self.memories = game, seed, list(memories)
        self.seats = len(memories)
        done = start(game, self.seats, options, seed)
        self.state, self.number = done.state, 0
        self.hear(done.events)

    def hear(self, events: Sequence[Event]) -> None:
        """Let every seat notice what it hears."""
        for event in events:
            for seat, memory in enumerate(self.memories):
                if memory is not None and event.heard_by(seat):
                    self.bot_of(seat).notice(memory, event, seat)

    def bot_of(self, seat: Seat) -> Bot[Any]:
        """Return whose memory a seat has: the bots of a match share one kind."""
        assert self.game.bot
        return self.game.bot

    def play(
        self,
        chosen: Callable[[Any, Seat], Player],
        times: Sequence[list[float]] | None = None,
        watch: Watch | None = None,
    ) -> Any:
        """Play to the end and return the last state. Raises RuntimeError when there is none."""
        while self.game.outcome(self.state) is None:
            self.number += 1
            if self.number > MOST_MOVES:
                raise RuntimeError(f"{self.game.key} did not end in {MOST_MOVES} moves")
            listeners = list(self.game.listeners(self.state))
            move = self.next_move(prompts(listeners, self.seats), chosen, times)
            if move is None:
                move = min(timed(listeners), key=lambda each: each.after or 0).clock_move
            luck = Chance(self.seed, self.number)
            done = step_on(self.game, self.state, move, luck, listeners=listeners)
            self.hear(done.events)
            if watch:
                watch(self.state, done.events)
        return self.state

    def next_move(
        self,
        asked: Sequence[Prompt],
        chosen: Callable[[Any, Seat], Player],
        times: Sequence[list[float]] | None,
    ) -> Move | None:
        """Return the move that comes first: of those who need not move, then of those who must."""
        waiting = None
        for seat in Chance(self.seed, self.number, "order").shuffled(range(self.seats)):
            own = asked[seat]
            if not own.offers or (waiting and all(offer.blocks for offer in own.offers)):
                continue
            player = chosen(self.state, seat)
            luck = Chance(self.seed, self.number, f"bot {seat}")
            view = self.game.view(self.state, seat)
            began = time.perf_counter()
            move = player.bot.choose(self.memories[seat], view, own, luck, player.level)
            if times is not None and player.bot is self.game.bot:
                times[seat].append(time.perf_counter() - began)
            if move is not None:
                offer = own.offer(move.verb)
                assert offer
                if not offer.blocks:
                    return move
                waiting = waiting or move
        return waiting


def in_field(
    game: Game[Any],
    hero: Player,
    rivals: Player,
    deals: Sequence[int],
    seats: int,
    options: Any,
    watch: Watch | None = None,
) -> Share:
    """Return what `hero` wins against others who all play one way; fair is 1 / seats."""
    result = Share()
    for number in deals:
        total = 0.0
        for place in range(seats):
            times: list[list[float]] = [[] for _ in range(seats)]
            match = Match(game, options, number.to_bytes(32, "big"), memories(game, seats))
            players = [hero if seat == place else rivals for seat in range(seats)]
            state = match.play(lambda _, seat, all=players: all[seat], times, watch)
            outcome = game.outcome(state)
            assert outcome
            # If nobody wins, it counts as if everybody had.
            winners = outcome.winners or range(seats)
            total += (place in winners) / len(winners)
            result.times += times[place]
        result.shares.append(total / seats)
    return result


def memories(game: Game[Any], seats: int) -> list[Any]:
    """Return a fresh memory for each seat."""
    assert game.bot
    return [game.bot.memory() for _ in range(seats)]
