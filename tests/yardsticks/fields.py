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
LOOP = 110_000  # turns of the loop that times are compared with


@dataclass(frozen=True, slots=True)
class Player:
    """A bot and how well it plays."""

    bot: Bot[Any]
    level: Level = Level.HARD


@dataclass
class Share:
    """How much of the wins one player took: a mean of deals, and 95 % to both sides of it.

    `times` are the seconds of processor time of each of its decisions.
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


def reference() -> float:
    """Return the seconds a fixed loop takes here and now, at best: 5 ms on the machine measured."""
    found = []
    for _ in range(5):
        began = time.thread_time()
        sum(number * number % 7 for number in range(LOOP))
        found.append(time.thread_time() - began)
    return min(found)


Watch = Callable[[Any, Sequence[Event]], None]


class Match:
    """A match between players, each of whom is given what its seat sees and hears."""

    def __init__(self, game: Game[Any], options: Any, deal: int, seats: int) -> None:
        self.game, self.seed, self.seats = game, deal.to_bytes(32, "big"), seats
        self.memories = [self.bot.memory() for _ in range(seats)]
        done = start(game, seats, options, self.seed)
        self.state, self.number = done.state, 0
        self.hear(done.events)

    def hear(self, events: Sequence[Event]) -> None:
        """Let every seat notice what it hears."""
        for event in events:
            for seat, memory in enumerate(self.memories):
                if event.heard_by(seat):
                    self.bot.notice(memory, event, seat)

    @property
    def bot(self) -> Bot[Any]:
        """Return the game's own bot: all who play share its kind of memory."""
        assert self.game.bot
        return self.game.bot

    def play(
        self,
        chosen: Callable[[Any, Seat], Player],
        times: Sequence[list[float]] | None = None,
        watch: Watch | None = None,
    ) -> Any:
        """Play to the end and return the last state; RuntimeError when there is none.

        `chosen(state, seat)` returns who plays for a seat, which may change from stage to stage.
        """
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
            began = time.thread_time()
            move = player.bot.choose(self.memories[seat], view, own, luck, player.level)
            if times is not None and player.bot is self.game.bot:
                times[seat].append(time.thread_time() - began)
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
            match = Match(game, options, number, seats)
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
