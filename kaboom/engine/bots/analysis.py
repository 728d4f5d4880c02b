"""Evaluation of the possible moves at one decision, based only on what its seat can know.

Hidden cards are dealt again many times, each move is made, and bots play on to the horizon declared
by the game (`Game.analysis`, kaboom.engine.bots.horizon). All moves are tried in the same deals
with the same random numbers, so their differences converge much faster than their values.

    moves = candidates(game, state, seat, memory, Rng(seed, 0))
    for values in judging(game, state, seat, memory, moves, seed, deals=400):  # best first
        values[1].behind, values[1].interval  # how much less the second is worth, and its interval

`memory` is the memory that a bot in this seat would have (kaboom.engine.continued_match and
kaboom.tables.bot_runner.moves). With `Playouts`, the caller decides which moves are tried in how
many deals.

The same seed gives the same values. They depend on the view and the memory of the seat alone:
different hidden cards give identical bytes, as long as `Game.deal_again` puts the unknown cards
into a canonical order before it draws, as `kaboom.engine.toolkit.resample` does.
"""

import hmac
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from math import fsum, inf
from typing import Any

from msgspec import Struct

from kaboom.engine.bots.bot import Bot, Level
from kaboom.engine.bots.evaluate import NORMAL_95, Match, Player, interval
from kaboom.engine.bots.horizon import Analysis, lead
from kaboom.engine.codec import copied
from kaboom.engine.continued_match import redealt
from kaboom.engine.engine import Step, prompt
from kaboom.engine.game import Game
from kaboom.engine.moves import Move, Seat
from kaboom.engine.play import S
from kaboom.engine.rng import Rng

DEALS = 400
AT_ONCE = 16  # deals between two evaluations; the normal approximation needs several
LEAST = 64  # deals before a move can be dropped by `errors`
MOST_CANDIDATES = 14
MOST_MOVES = 600  # moves of a playout, after which the position is evaluated as it is

Choice = Move | None  # None: the seat passes


class MoveValue(Struct, frozen=True):
    """The value of a move, in the unit of the game's analysis.

    `spread` is half the width of the 95% interval of `worth`. `behind` is how far the move is
    behind the best one, 0 or more, and `interval` the 95% interval of the difference (this move
    minus the best), both over the `deals` in which this move was tried.
    """

    move: Choice
    worth: float
    spread: float
    behind: float
    interval: tuple[float, float]
    deals: int

    @property
    def as_good(self) -> bool:
        """Return True if the move may be as good as the best: its interval reaches 0."""
        return self.interval[1] >= 0

    @property
    def errors(self) -> float:
        """Return how far the move is behind the best one, in standard errors."""
        if not self.behind:
            return 0.0
        half = (self.interval[1] - self.interval[0]) / 2
        return NORMAL_95 * self.behind / half if half else inf


def analysis_of(game: Game[Any]) -> Analysis:
    """Return the analysis of a game: its own, or the default one."""
    return game.analysis or Analysis()


def candidates(
    game: Game[S], state: S, seat: Seat, memory: Any, rng: Rng, most: int = MOST_CANDIDATES
) -> list[Choice]:
    """Return at most `most` moves of a seat to evaluate: first those a strong bot considers, then
    other legal ones.

    Incomplete moves are left out. Only the bot's moves are used in races, for ordered choices, and
    if there are too many legal moves.
    """
    own = prompt(game, state, seat)
    found: list[Choice] = []
    if game.bot is not None and own.offers:
        view = game.view(state, seat)
        found = [it.move for it in game.bot.quickly(copied(memory), view, own, rng, Level.HARD)]
    if own.offers and not own.waited_for:
        found.append(None)
    for listener in game.listeners(state):
        if listener.seat != seat or listener.verb in game.pieces or listener.race:
            continue
        rows = listener.pick.ordered and listener.pick.most > 1
        legal = (it for it in listener.pick.legal() if not rows or len(it) == 1)
        each = list(islice(legal, most + 1))
        if len(each) <= most or not any(it and it.verb == listener.verb for it in found):
            found += [Move(seat, listener.verb, choices) for choices in each]
    return list(dict.fromkeys(found))[:most]


def judging(
    game: Game[S],
    state: S,
    seat: Seat,
    memory: Any,
    moves: Sequence[Choice],
    seed: bytes,
    *,
    deals: int = DEALS,
    errors: float | None = None,
) -> Iterator[list[MoveValue]]:
    """After every few deals, yield the values of the moves so far, best first.

    With `errors`, a move is dropped if it is behind by that many standard errors after LEAST deals.
    Raises a Refusal if one of the moves is not legal.
    """
    playouts = Playouts(game, state, seat, memory, seed)
    alive = list(moves)
    for done in range(1, deals + 1):
        playouts.play(alive, done)
        if done % AT_ONCE == 0 or done == deals:
            yield (values := playouts.values(moves))
            if errors is not None and done >= LEAST:
                lost = {it.move for it in values if it.errors >= errors}
                alive = [move for move in alive if move not in lost]


class Playouts:
    """The playouts of one decision: its moves, tried in the same deals.

    `seed` determines the deals; `bot` replaces the bots that play on. `results` has the values of
    each move, indexed by deal.
    """

    def __init__(
        self,
        game: Game[S],
        state: S,
        seat: Seat,
        memory: Any,
        seed: bytes,
        bot: Bot[Any] | None = None,
    ) -> None:
        self._deal = partial(_Deal, game, state, seat, memory, bot)
        self._seed = seed
        self.results: dict[Choice, list[float]] = {}

    def play(self, moves: Sequence[Choice], deals: int) -> None:
        """Play each of the moves out until it has been tried in the first `deals` deals.

        Raises a Refusal if one of the moves is not legal.
        """
        lists = [(move, self.results.setdefault(move, [])) for move in moves]
        for number in range(min((len(own) for _, own in lists), default=deals), deals):
            deal = self._deal(_key(self._seed, number))
            for move, own in lists:
                if len(own) == number:
                    own.append(deal.worth_of(move))

    def difference(self, one: Choice, other: Choice) -> tuple[float, float]:
        """Return the lead of one move over another, with its standard error, in the deals in which
        both were tried.
        """
        pairs = zip(self.results[one], self.results[other], strict=False)
        mean, half = interval([more - less for more, less in pairs])
        return mean, half / NORMAL_95

    def values(self, moves: Sequence[Choice], best: Choice = None) -> list[MoveValue]:
        """Return the value of each move, best first.

        The best move is `best` or, by default, the best of those tried in the most deals. A given
        move was not selected by these results, so its lead is not overestimated.
        """
        results = [self.results[move] for move in moves]
        longest = max(map(len, results), default=0)
        finalists = [
            place
            for place, own in enumerate(results)
            if len(own) == longest and best in (None, moves[place])
        ]
        first = max(finalists, key=lambda place: fsum(results[place]), default=0)
        found = []
        for place, (move, own) in enumerate(zip(moves, results, strict=True)):
            less = [one - other for one, other in zip(own, results[first], strict=False)]
            mean, half = interval(less) if place != first else (0.0, 0.0)
            top = interval(results[first])[0]
            spread = interval(own)[1]
            limits = (mean - half, mean + half)
            found.append(MoveValue(move, top + mean, spread, max(0.0, -mean), limits, len(own)))
        if not found:
            return []
        leader = found.pop(first)
        return [leader, *sorted(found, key=lambda value: value.behind)]


def _key(seed: bytes, number: int) -> bytes:
    """Return the key for all random draws in a deal."""
    return hmac.digest(seed, f"kaboom/v1|analysis|{number}".encode(), "sha256")


class _Deal:
    """One deal of the cards unknown to a seat, in which its moves are tried."""

    def __init__(
        self,
        game: Game[Any],
        state: Any,
        seat: Seat,
        memory: Any,
        bot: Bot[Any] | None,
        key: bytes,
    ) -> None:
        self.game, self.seat, self.key = game, seat, key
        self.way = analysis_of(game)
        self.bot: Bot[Any] | None = bot or self.way.bot or game.bot
        self.before = redealt(game, state, seat, memory, Rng(key, 0, "again"))
        seats = range(game.seated(state))
        self.memories = [self._memory(memory, other) for other in seats]

    def _memory(self, memory: Any, other: Seat) -> Any:
        """Return the memory of a seat in this deal, as far as the evaluated seat can know it."""
        own = self.game.bot
        if self.bot is None or own is None or self.bot.memory is not own.memory:
            return self.bot and self.bot.memory()
        if other == self.seat:
            return memory
        if self.way.supposed is not None:
            return self.way.supposed(memory, self.before, self.seat, other)
        return self.bot.memory()

    def worth_of(self, move: Choice) -> float:
        """Return the value of a move in this deal, played on to the horizon."""
        game, seat, before = self.game, self.seat, self.before
        memories = [it and copied(it) for it in self.memories]
        players = [Player(self.bot)] * len(memories)
        begun = Step(copied(before), ())
        match = Match(game, players, None, self.key, begun=begun, memories=memories)
        if move is None:
            match.asked |= {(seat, it.token) for it in prompt(game, before, seat).parted()}
        else:
            match.number = 1
            match.make(move)
        while not self._over(match.state) and match.number < MOST_MOVES:
            if self.way.playout is not None:
                rng = Rng(self.key, match.number, "playout")
                quick = self.way.playout(before, match.state, seat, rng)
                if quick is not None:
                    return quick
            level = self.way.level(before, match.state)
            match.players = [Player(self.bot, level)] * len(memories)
            match.go_on()
        return self._worth(match.state)

    def _over(self, state: Any) -> bool:
        if self.game.outcome(state) is not None:
            return True
        return self.way.over is not None and self.way.over(self.before, state)

    def _worth(self, state: Any) -> float:
        if self.way.worth is not None:
            return self.way.worth(self.before, state, self.seat)
        outcome = self.game.outcome(state)
        return lead(outcome.scores, self.seat, self.game.lowest_wins) if outcome else 0.0
