"""Judges decisions: the bot estimates all of them, then the most costly are played out. Pure.

The result depends only on the seat's view and memory, which also seed the random deals. Hidden
cards of other seats do not change it. Only the number of deals depends on CPU speed, if the time
limit is reached.
"""

import hashlib
from collections.abc import Callable, Sequence
from math import fsum, inf
from typing import Any

from msgspec import structs

from kaboom.coach.decisions import Decision
from kaboom.coach.judged_decision import Judged, Weighed
from kaboom.engine.bots.analysis import (
    AT_ONCE,
    Choice,
    MoveValue,
    Playouts,
    analysis_of,
    candidates,
)
from kaboom.engine.bots.bot import Level, Thought
from kaboom.engine.bots.evaluate import NORMAL_95
from kaboom.engine.codec import copied, to_json
from kaboom.engine.engine import prompt
from kaboom.engine.game import Game
from kaboom.engine.moves import Move
from kaboom.engine.rng import Rng
from kaboom.engine.views import Prompt

CONSIDERED = 7  # moves tried besides the one made
FINALISTS = 3  # … of which are tried in more deals
FEW, SOME, MANY = 8, 24, 96  # deals for all moves, for the finalists if those took long, and if not
NO_TIME = 0.25  # seconds
LOOKS = (48, 96, 192, 384, 768, 1536)  # deals after which a comparison may end
SURE = 2.935  # standard errors: 1% (one-sided) divided among the six looks
FEWER = 7.3  # … plus this divided by the degrees of freedom: Student’s t-distribution
COMPARING = 0.5  # share of the time limit for the comparison; the rest is for the cost
STEADY = 384  # fewest deals for a cost, if the time allows
UNLIKELY = 1.28  # standard errors: a larger difference has a probability of 10%

Clock = Callable[[], float]


def stopped() -> float:
    """Return 0: a clock that never reaches the time limit."""
    return 0.0


def looked_at(game: Game[Any], decision: Decision) -> Judged:
    """Return the decision with the bot's first estimate of each move."""
    state, memory = decision.position(game)
    move = decision.move
    own, view = prompt(game, state, move.seat), game.view(state, move.seat)
    assert game.bot is not None
    rng = Rng(_seed(game, state, memory, move), 0, "first look")
    thoughts = [
        it for it in game.bot.quickly(memory, view, own, rng, Level.HARD) if it.move is not None
    ]
    found = _with_own(own, [Weighed(str(it.move), it.worth) for it in thoughts], move)
    offer = own.offer(move.verb)
    return Judged(
        decision.step,
        decision.before,
        str(move),
        _first_cost(game, own, thoughts, move),
        found,
        about=offer.about if offer else "",
    )


def _with_own(own: Prompt, found: Sequence[Weighed], move: Move) -> list[Weighed]:
    """Return the moves, best first; the move that was made keeps its own notation."""
    named = [
        Weighed(str(move), it.first, it.less, it.low, it.high)
        if own.are_same(Move.parse(it.move), move)
        else it
        for it in found
    ]
    if not any(it.move == str(move) for it in named):
        named.append(Weighed(str(move)))
    return sorted(named, key=lambda it: float("inf") if it.first is None else -it.first)


def _first_cost(game: Game[Any], own: Prompt, thoughts: Sequence[Thought], move: Move) -> float:
    """Return the cost of a move estimated at first glance, in the bot's unit.

    A move the bot did not consider costs more than any move it did.
    """
    worths = [it.worth for it in thoughts]
    if not worths:
        return 0.0
    mine = [it.worth for it in thoughts if it.move and own.are_same(it.move, move)]
    assert game.bot is not None
    worth = max(mine) if mine else min(worths) - max(game.bot.bound, 1.0)
    return max(0.0, max(worths) - worth)


def played_out(
    game: Game[Any],
    decision: Decision,
    first: Judged,
    seconds: float = inf,
    now: Clock = stopped,
) -> Judged:
    """Return the decision judged by playing out its moves in many deals.

    One set of deals selects the rival, the most promising other move. A second set compares it with
    the move made, because the first overrates the move that it selected. A third set measures the
    cost of a mistake, because the second overrates differences that it found certain. `seconds` is
    the time limit by the clock `now()`, which returns CPU seconds.
    """
    state, memory = decision.position(game)
    move, seat = decision.move, decision.move.seat
    seed, began = _seed(game, state, memory, move), now()
    way, own = analysis_of(game), prompt(game, state, seat)
    others = _others(game, state, memory, own, move, first, seed)
    if not others:
        return first

    def playouts(name: str) -> Playouts:
        return Playouts(game, state, seat, memory, _part(seed, name), bot=way.rivals)

    rivals = _promising(playouts("selection"), others, now)
    compared, end = playouts("comparison"), began + seconds * COMPARING
    deals = _compared(compared, move, rivals[0], way.least, end, now)
    values, surely = compared.values([move, rivals[0]]), -inf
    if _certain(compared, move, rivals[0]):
        best, surely = _best(compared, rivals, deals), _least_loss(compared, move, rivals[0])
        measured = playouts("measurement")
        deals = _measured(measured, move, best, rivals, max(deals, STEADY), began + seconds, now)
        values = measured.values([move, *rivals], best if _gains(measured, best, move) else move)
    found = [_weighed(it, first, surely if it.move == move else -inf) for it in values]
    rest = [it for it in first.moves if it.move not in {each.move for each in found}]
    return structs.replace(
        first,
        moves=[*found, *rest],
        deals=deals,
        reason=_reason(game, state, memory, own, found, seed),
        least=way.least,
    )


def _promising(playouts: Playouts, others: Sequence[Move], now: Clock) -> list[Move]:
    """Return the moves other than the one made, most promising first.

    All are tried in a few deals, and the best of them in more.
    """
    began = now()
    playouts.play(others, FEW)
    slow = now() - began > NO_TIME
    finalists = [it.move for it in playouts.values(others)][:FINALISTS]
    playouts.play(finalists, SOME if slow else MANY)
    return [it.move for it in playouts.values(others) if it.move is not None]


def _compared(
    playouts: Playouts, move: Move, rival: Move, least: float, end: float, now: Clock
) -> int:
    """Compare two moves until the result is certain, or further deals are unlikely to show that the
    rival is better by `least`, or time is up; return the number of deals.

    The results are examined only after the numbers of deals in LOOKS, among which the error rate is
    divided, because a test that is repeated often enough always finds a difference.
    """
    deals = 0
    for look in LOOKS:
        while deals < look:
            deals = min(deals + AT_ONCE, look)
            playouts.play([move, rival], deals)
            if now() >= end and deals >= LOOKS[0]:
                return deals
        more, error = playouts.difference(rival, move)
        if _certain(playouts, move, rival) or more + UNLIKELY * error < least:
            break
    return deals


def _best(playouts: Playouts, rivals: Sequence[Move], deals: int) -> Move:
    """Return the best of the most promising rivals, after trying each of them in the same number of
    deals.
    """
    finalists, deals = rivals[:FINALISTS], min(deals, STEADY)
    playouts.play(finalists, deals)
    return max(finalists, key=lambda it: fsum(playouts.results[it][:deals]))


def _measured(
    playouts: Playouts,
    move: Move,
    best: Move,
    rivals: Sequence[Move],
    wanted: int,
    end: float,
    now: Clock,
) -> int:
    """Try the move and the best rivals in as many deals as wanted, or until time is up, and the
    other rivals in only a few; return the number of deals.
    """
    deals = LOOKS[0]
    playouts.play([move, *rivals], deals)
    finalists = list(dict.fromkeys((move, best, *rivals[:FINALISTS])))
    while deals < wanted and now() < end:
        deals = min(deals + AT_ONCE, wanted)
        playouts.play(finalists, deals)
    return deals


def _certain(playouts: Playouts, move: Move, rival: Move) -> bool:
    """Return True if a rival move is certainly better than `move`."""
    return _least_loss(playouts, move, rival) > 0


def _least_loss(playouts: Playouts, move: Move, rival: Move) -> float:
    """Return the lower 99% confidence limit of a rival move's advantage over `move`."""
    more, error = playouts.difference(rival, move)
    return more - error * _factor(len(playouts.results[rival]))


def _gains(playouts: Playouts, rival: Move, move: Move) -> bool:
    """Return True if a rival move did better than `move` on average."""
    return playouts.difference(rival, move)[0] > 0


def _weighed(value: MoveValue, first: Judged, surely: float) -> Weighed:
    """Return a move with its loss and the 99% interval; `surely` is a lower limit of the loss that
    another set of deals has shown.
    """
    half = (value.interval[1] - value.interval[0]) / 2 / NORMAL_95 * _factor(value.deals)
    less, text = value.behind, str(value.move)
    low, high = max(less - half, min(less, surely)), less + half
    worth = next((it.first for it in first.moves if it.move == text), None)
    return Weighed(text, worth, less, low, high)


def _factor(deals: int) -> float:
    """Return half the width of the 99% interval in standard errors, for any of the LOOKS."""
    return SURE + FEWER / max(1, deals - 1)


def _others(
    game: Game[Any],
    state: Any,
    memory: Any,
    own: Prompt,
    move: Move,
    first: Judged,
    seed: bytes,
) -> list[Move]:
    """Return the moves to play out besides the one made: those the bot considers, then others."""
    thought_of: list[Choice] = [Move.parse(it.move) for it in first.moves if it.first is not None]
    thought_of += candidates(game, state, move.seat, memory, Rng(seed, 0, "more"))
    found: list[Move] = []
    for each in thought_of:
        if each is not None and not any(own.are_same(it, each) for it in (move, *found)):
            found.append(each)
    return found[:CONSIDERED]


def _reason(
    game: Game[Any], state: Any, memory: Any, own: Prompt, found: Sequence[Weighed], seed: bytes
) -> Any:
    """Return the bot's reason for the best move, or None if that move is not also best at first
    glance.
    """
    assert game.bot is not None
    view = game.view(state, own.seat)
    rng = Rng(seed, 0, "first look")
    best = Move.parse(found[0].move)
    thoughts = game.bot.weigh(copied(memory), view, own, rng, Level.HARD)
    most = max((it.worth for it in thoughts), default=0.0)
    for it in thoughts:
        if it.move is not None and it.worth == most and own.are_same(it.move, best):
            return it.reason
    return None


def _seed(game: Game[Any], state: Any, memory: Any, move: Move) -> bytes:
    """Return the random seed for a decision, derived from what the seat knew."""
    view, own = game.view(state, move.seat), prompt(game, state, move.seat)
    known = (game.key, to_json(view).decode(), own.token, to_json(memory).decode(), str(move))
    return hashlib.sha256("\x1f".join(known).encode()).digest()


def _part(seed: bytes, name: str) -> bytes:
    return hashlib.sha256(seed + name.encode()).digest()
