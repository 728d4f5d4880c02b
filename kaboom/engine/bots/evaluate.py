"""Measures a way of playing in a field of others: each deal is played from every seat.

Every player is given its own seat's view, prompt and events, nothing else. As at a table, turns and
races are decided apart, and who lets a chance go by is not asked again. In a race either all are
as quick, and chance decides who is asked first; or each reacts by the clock of its level.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from math import fsum, sqrt
from typing import Any

from kaboom.engine.bots.bot import Bot, Level
from kaboom.engine.bots.delays import reaction
from kaboom.engine.bots.names import Temper
from kaboom.engine.engine import prompts, random_move, start, step_on, timed
from kaboom.engine.game import Game
from kaboom.engine.moves import Move, Seat
from kaboom.engine.play import Event
from kaboom.engine.rng import Chance
from kaboom.engine.views import Outcome, Prompt

SOMETIMES = 8  # a random player takes one in this many chances the game does not wait for
MOST_MOVES = 20_000
NORMAL_95 = 1.96


@dataclass(frozen=True, slots=True)
class Player:
    """A way to play; without a bot any legal move is made, all equally likely.

    `program` chooses in place of a bot: it is asked with the state, from which it must take no more
    than the seat may know.
    """

    bot: Bot[Any] | None
    level: Level = Level.HARD
    program: Callable[[Any, Prompt, Chance], Move | None] | None = None


RANDOM = Player(None)


@dataclass
class Measured:
    """How one player did in a field: `shares` of the wins and `leads` over the others' mean score,
    each the mean of a deal played from every seat, and the seconds of its decisions.
    """

    seats: int
    shares: list[float] = field(default_factory=list)
    leads: list[float] = field(default_factory=list)
    times: list[float] = field(default_factory=list)

    @property
    def fair(self) -> float:
        """Return the share of wins among equals."""
        return 1 / self.seats

    def __str__(self) -> str:
        share, lead = interval(self.shares), interval(self.leads)
        return (
            f"{100 * share[0]:.1f} ± {100 * share[1]:.1f} % of the wins (fair"
            f" {100 * self.fair:.1f} %), {lead[0]:+.2f} ± {lead[1]:.2f} points beside the others,"
            f" {len(self.shares)} deals from {self.seats} seats (± is 95 %)"
        )


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean of independent values, and the half width of its 95 % interval."""
    mean = fsum(values) / len(values)
    spread = sqrt(
        fsum((value - mean) * (value - mean) for value in values) / max(1, len(values) - 1)
    )
    return mean, NORMAL_95 * spread / sqrt(len(values))


def in_field(
    game: Game[Any],
    hero: Player,
    rivals: Player,
    deals: Iterable[int],
    seats: int,
    options: Any,
    *,
    clocks: bool = False,
    now: Callable[[], float] = lambda: 0.0,
) -> Measured:
    """Return how `hero` does against others who all play one way.

    `deals` are the numbers of the deals, `clocks`: does everybody react by the clock of their
    level? `now()` is the time that decisions are measured by.
    """
    found = Measured(seats)
    for number in deals:
        share = lead = 0.0
        for place in range(seats):
            players = [hero if seat == place else rivals for seat in range(seats)]
            match = Match(game, players, options, number.to_bytes(32, "big"), clocks, now)
            outcome = match.played()
            share += share_of(outcome, [place])
            others = [points for seat, points in enumerate(outcome.scores) if seat != place]
            lead += outcome.scores[place] - fsum(others) / len(others)
            found.times += match.times[place]
        found.shares.append(share / seats)
        found.leads.append(lead / seats)
    return found


def share_of(outcome: Outcome, own: Collection[Seat]) -> float:
    """Return the share of the win, from 0 to 1, that these seats have.

    If nobody wins, it counts as if everybody had.
    """
    winners = outcome.winners or range(len(outcome.places))
    return sum(seat in own for seat in winners) / len(winners)


def played(game: Game[Any], players: Sequence[Player], options: Any, seed: bytes) -> Outcome:
    """Return how a match between these players ends, seat 0 first."""
    return Match(game, players, options, seed).played()


class Match:
    """A match between players."""

    def __init__(
        self,
        game: Game[Any],
        players: Sequence[Player],
        options: Any,
        seed: bytes,
        clocks: bool = False,
        now: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self.game, self.players, self.seed, self.clocks, self.now = game, players, seed, clocks, now
        self.times: list[list[float]] = [[] for _ in players]
        self.memories = [it.bot.memory() if it.bot else None for it in players]
        self._asked: set[tuple[Seat, str]] = set()  # what was let go by
        done = start(game, len(players), options, seed)
        self.state, self.number = done.state, 0
        self.log: list[str] = []  # the moves made
        self._hear(done.events)

    def played(self) -> Outcome:
        """Play to the end and return the outcome. Raises RuntimeError if the match does not end."""
        game = self.game
        while (end := game.outcome(self.state)) is None:
            self.number += 1
            if self.number > MOST_MOVES:
                raise RuntimeError(f"{game.key} did not end in {MOST_MOVES} moves")
            listeners = list(game.listeners(self.state))
            move = self._next_move(prompts(listeners, len(self.players)))
            if move is None:
                move = min(timed(listeners), key=lambda each: each.after or 0).clock_move
            chance = Chance(self.seed, self.number)
            done = step_on(game, self.state, move, chance, listeners=listeners)
            self.state = done.state
            self.log.append(str(move))
            self._hear(done.events)
        return end

    def _hear(self, events: Sequence[Event]) -> None:
        for seat, player in enumerate(self.players):
            if player.bot is not None:
                for event in events:
                    if event.heard_by(seat):
                        player.bot.notice(self.memories[seat], event, seat)

    def _next_move(self, asked: Sequence[Prompt]) -> Move | None:
        """Return the next move: in a race, else of somebody who may move, else who must."""
        parts = [prompt.parted() for prompt in asked]
        races = [race for _, race in parts if race.offers]
        turns = [turn for turn, _ in parts if turn.offers]
        idle = [turn for turn in turns if not turn.waited_for]
        waited = [turn for turn in turns if turn.waited_for]
        for own in [*self._by_reaction(races), *self._in_any_order(idle)]:
            fact = own.seat, own.token
            if fact not in self._asked:
                move = self._chosen(own)
                if move is not None:
                    return move
                self._asked.add(fact)
        for own in self._in_any_order(waited):
            move = self._chosen(own)
            if move is not None:
                return move
        return None

    def _in_any_order(self, asked: Sequence[Prompt]) -> Sequence[Prompt]:
        return Chance(self.seed, self.number, "order").shuffled(asked)

    def _by_reaction(self, races: Sequence[Prompt]) -> Sequence[Prompt]:
        """Return who may be first, those who react sooner before others, without who misses it."""
        if not self.clocks:
            return self._in_any_order(races)
        found = []
        for own in races:
            # One reaction to each thing that one may be first at.
            chance = Chance(self.seed, 0, f"reaction {own.seat} {own.token}")
            seconds = reaction(self.players[own.seat].level, Temper(), chance)
            if seconds is not None:
                found.append((seconds, own))
        return [own for _, own in sorted(found, key=lambda each: each[0])]

    def _chosen(self, own: Prompt) -> Move | None:
        """Return the move a player makes, or None if it lets the chance go by."""
        player, seat = self.players[own.seat], own.seat
        chance = Chance(self.seed, self.number, f"bot {seat}")
        if player.program is not None:
            return player.program(self.state, own, chance)
        if player.bot is None:
            return self._any(own, chance)
        began = self.now()
        view, memory = self.game.view(self.state, seat), self.memories[seat]
        move = player.bot.choose(memory, view, own, chance, player.level)
        self.times[seat].append(self.now() - began)
        return move

    def _any(self, own: Prompt, chance: Chance) -> Move | None:
        if not own.waited_for and chance.below(SOMETIMES):
            return None
        verbs = {offer.verb for offer in own.offers}
        while True:  # until it is one of these: what else is on offer is asked apart
            move = random_move(self.game, self.state, own.seat, chance)
            if move is None or move.verb in verbs:
                return move
