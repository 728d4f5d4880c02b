"""Measuring a policy against a field of others: each deal is played from every seat.

Every player receives only its own seat's view, prompt and events. As at a table, turns and races
are decided separately, and a player who has passed is not prompted again. In a race, either all are
equally fast and chance decides who is prompted first, or each reacts after the delay of its level.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from math import fsum, sqrt
from typing import Any

from kaboom.engine.bots.bot import Bot, Level
from kaboom.engine.bots.delays import reaction_seconds
from kaboom.engine.bots.names import Temper
from kaboom.engine.engine import Step, prompts, random_move, start, step_on, timed
from kaboom.engine.game import Game
from kaboom.engine.moves import Move, Seat
from kaboom.engine.play import Event, Listener
from kaboom.engine.rng import Rng
from kaboom.engine.views import Outcome, Prompt

SOMETIMES = 8  # a random player makes one in this many optional moves
MOST_MOVES = 20_000
NORMAL_95 = 1.96


@dataclass(frozen=True, slots=True)
class Player:
    """A policy. Without a bot, it makes random legal moves, all equally likely.

    `program` chooses in place of a bot. It gets the whole state, but must use only what the
    seat may know.
    """

    bot: Bot[Any] | None
    level: Level = Level.HARD
    program: Callable[[Any, Prompt, Rng], Move | None] | None = None


RANDOM = Player(None)

Company = Callable[[int], Sequence[Player]]  # the hero's opponents, by deal number


@dataclass
class Measured:
    """One player's results in a field. `shares` of the win and `leads` over the others' mean score
    have one value for each deal, the mean over all seats. `times` has the seconds for each
    decision.
    """

    seats: int
    shares: list[float] = field(default_factory=list)
    leads: list[float] = field(default_factory=list)
    times: list[float] = field(default_factory=list)

    @property
    def fair(self) -> float:
        """Return the share of wins expected among equals."""
        return 1 / self.seats

    def __str__(self) -> str:
        share, lead = interval(self.shares), interval(self.leads)
        return (
            f"{100 * share[0]:.1f} ± {100 * share[1]:.1f} % of the wins (fair"
            f" {100 * self.fair:.1f} %), {lead[0]:+.2f} ± {lead[1]:.2f} points beside the others,"
            f" {len(self.shares)} deals from {self.seats} seats (± is 95%)"
        )


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean of independent values, and half the width of its 95% interval."""
    mean = fsum(values) / len(values)
    spread = sqrt(
        fsum((value - mean) * (value - mean) for value in values) / max(1, len(values) - 1)
    )
    return mean, NORMAL_95 * spread / sqrt(len(values))


def in_field(
    game: Game[Any],
    hero: Player,
    rivals: Player | Company,
    deals: Iterable[int],
    seats: int,
    options: Any,
    *,
    clocks: bool = False,
    now: Callable[[], float] = lambda: 0.0,
) -> Measured:
    """Return the results of `hero` against `rivals`, one policy or a function of the deal's number.

    `deals` are the numbers of the deals. With `clocks`, every player has the reaction time of its
    level. `now()` measures the time of decisions.
    """
    found = Measured(seats)
    for number in deals:
        share = lead = 0.0
        others_of = [rivals] * (seats - 1) if isinstance(rivals, Player) else rivals(number)
        for place in range(seats):
            players = [*others_of[:place], hero, *others_of[place:]]
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
    """Return the share of the win, from 0 to 1, that goes to the seats `own`. Without a winner, all
    seats share it.
    """
    winners = outcome.winners or range(len(outcome.places))
    return sum(seat in own for seat in winners) / len(winners)


def played(game: Game[Any], players: Sequence[Player], options: Any, seed: bytes) -> Outcome:
    """Return the outcome of a match between these players, seat 0 first."""
    return Match(game, players, options, seed).played()


class Match:
    """A match between policies, from the deal or from a given step."""

    def __init__(
        self,
        game: Game[Any],
        players: Sequence[Player],
        options: Any,
        seed: bytes,
        clocks: bool = False,
        now: Callable[[], float] = lambda: 0.0,
        begun: Step[Any] | None = None,
        memories: Sequence[Any] | None = None,
    ) -> None:
        """Deal, or continue from `begun` with the seats' `memories`, changing its state in
        place.
        """
        self.game, self.players, self.seed, self.clocks, self.now = game, players, seed, clocks, now
        self.times: list[list[float]] = [[] for _ in players]
        fresh = memories or [it.bot.memory() if it.bot else None for it in players]
        self.memories = list(fresh)
        self.asked: set[tuple[Seat, str]] = set()  # tokens of prompts on which a seat has passed
        done = begun or start(game, len(players), options, seed)
        self.state, self.number = done.state, 0
        self.log: list[str] = []  # moves so far
        self._hear(done.events)

    def played(self) -> Outcome:
        """Play to the end and return the outcome. Raises RuntimeError if the match does not end."""
        while (end := self.game.outcome(self.state)) is None:
            if self.number >= MOST_MOVES:
                raise RuntimeError(f"{self.game.key} did not end in {MOST_MOVES} moves")
            self.go_on()
        return end

    def go_on(self) -> None:
        """Make the next move of a player or of the clock; the match must not be over."""
        self.number += 1
        listeners = list(self.game.listeners(self.state))
        move = self._next_move(prompts(listeners, len(self.players)))
        if move is None:
            move = min(timed(listeners), key=lambda each: each.after or 0).clock_move
        self.make(move, listeners)

    def make(self, move: Move, listeners: Iterable[Listener] | None = None) -> None:
        """Make a move as the next one in the log; raises a Refusal if it is not legal."""
        rng = Rng(self.seed, self.number)
        done = step_on(self.game, self.state, move, rng, listeners=listeners)
        self.state = done.state
        self.log.append(str(move))
        self._hear(done.events)

    def _hear(self, events: Sequence[Event]) -> None:
        for seat, player in enumerate(self.players):
            if player.bot is not None:
                player.bot.hear(self.memories[seat], events, seat)

    def _next_move(self, asked: Sequence[Prompt]) -> Move | None:
        """Return the next move: one in a race, or else an optional one, or else a required one;
        None if there is none.
        """
        parts = [prompt.parted() for prompt in asked]
        races = [race for _, race in parts if race.offers]
        turns = [turn for turn, _ in parts if turn.offers]
        idle = [turn for turn in turns if not turn.waited_for]
        waited = [turn for turn in turns if turn.waited_for]
        for own in [*self._by_reaction(races), *self._in_any_order(idle)]:
            fact = own.seat, own.token
            if fact not in self.asked:
                move = self._chosen(own)
                if move is not None:
                    return move
                self.asked.add(fact)
        for own in self._in_any_order(waited):
            move = self._chosen(own)
            if move is not None:
                return move
        return None

    def _in_any_order(self, asked: Sequence[Prompt]) -> Sequence[Prompt]:
        return Rng(self.seed, self.number, "order").shuffled(asked)

    def _by_reaction(self, races: Sequence[Prompt]) -> Sequence[Prompt]:
        """Return the prompts of the race in order of reaction time, except those of players who
        miss it; without `clocks`, in random order.
        """
        if not self.clocks:
            return self._in_any_order(races)
        found = []
        for own in races:
            # One reaction time for each race.
            rng = Rng(self.seed, 0, f"reaction {own.seat} {own.token}")
            seconds = reaction_seconds(self.players[own.seat].level, Temper(), rng)
            if seconds is not None:
                found.append((seconds, own))
        return [own for _, own in sorted(found, key=lambda each: each[0])]

    def _chosen(self, own: Prompt) -> Move | None:
        """Return the move of a player, or None if it passes."""
        player, seat = self.players[own.seat], own.seat
        rng = Rng(self.seed, self.number, f"bot {seat}")
        if player.program is not None:
            return player.program(self.state, own, rng)
        if player.bot is None:
            return self._any(own, rng)
        began = self.now()
        view, memory = self.game.view(self.state, seat), self.memories[seat]
        move = player.bot.choose(memory, view, own, rng, player.level)
        self.times[seat].append(self.now() - began)
        return move

    def _any(self, own: Prompt, rng: Rng) -> Move | None:
        if not own.waited_for and rng.randrange(SOMETIMES):
            return None
        verbs = {offer.verb for offer in own.offers}
        while True:  # until it is one of these; other offers are prompted separately
            move = random_move(self.game, self.state, own.seat, rng)
            if move is None or move.verb in verbs:
                return move
