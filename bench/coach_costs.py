"""What mistakes cost according to the coach's estimate, and what they cost in other deals.

`python -m bench.coach_costs --matches 5 kaboom taken` has easy bots play matches, judges the
decisions of one seat, and measures the cost of each mistake again in deals that the coach has not
seen. For each game, it prints how often the coach found something, the mean of each cost, and
estimated ÷ measured with the 95% interval over matches.
"""

import argparse
import random
import time
from collections.abc import Iterator, Sequence
from math import fsum
from typing import Any, NamedTuple

from bench.compare import RESAMPLES
from kaboom.coach.decisions import decisions_of
from kaboom.coach.process import Task, work
from kaboom.engine.bots.analysis import Playouts, analysis_of
from kaboom.engine.bots.bot import Level
from kaboom.engine.bots.evaluate import Match, Player
from kaboom.engine.game import Game
from kaboom.engine.moves import Move
from kaboom.games import GAMES
from kaboom.records.replay import rebuilt
from kaboom.tables.match_record import Record
from tests.support.finished_matches import made

DEALS = 400
USUAL = {"karata": {"deal": 4}, "taken": {"hand_size": 10}}  # matches of the usual length


class Cost(NamedTuple):
    """The cost of a mistake: as the coach estimates it, and as measured in other deals."""

    said: float
    measured: float


class Coached(NamedTuple):
    """A coached match: the number of decisions, how many were played out, and the mistakes."""

    decisions: int
    closely: int
    mistakes: Sequence[Cost]
    seconds: float


def main() -> None:
    """Measure the named games, and print the results."""
    parser = argparse.ArgumentParser(prog="bench.coach_costs", description=__doc__)
    parser.add_argument("games", nargs="*", default=list(GAMES))
    parser.add_argument("--matches", type=int, default=5)
    parser.add_argument("--first", type=int, default=1)
    asked = parser.parse_args()
    for key in asked.games:
        found: list[Coached] = []
        for number in range(asked.first, asked.first + asked.matches):
            record = made(key, number, played=of_bots, **USUAL.get(key, {}))
            found.append(coached(record))
            print(f"{key} {number}: {told(found[-1:])}", flush=True)
        print(f"{key}: {told(found)}, ratio {ratio(found)}", flush=True)


def of_bots(
    game: Game[Any], seats: int, options: Any, seed: bytes, most: int
) -> tuple[list[str], Any]:
    """Return the moves of a match between easy bots, and its last state."""
    match = Match(game, [Player(game.bot, Level.EASY)] * seats, options, seed)
    while game.outcome(match.state) is None and match.number < most:
        match.go_on()
    return match.log, match.state


def coached(record: Record) -> Coached:
    """Judge the first seat's decisions in a match, and measure its mistakes again."""
    began = time.process_time()
    *_before, last = work(Task(record, 0))
    seconds = time.process_time() - began
    closely = sum(it.deals > 0 for it in last.judged)
    return Coached(len(last.judged), closely, list(costs(record, last.judged)), seconds)


def costs(record: Record, judged: Sequence[Any]) -> Iterator[Cost]:
    """Yield the cost of each mistake."""
    replay = rebuilt(record)
    game, bot = replay.game, analysis_of(replay.game).rivals
    for decision, it in zip(decisions_of(replay, 0), judged, strict=True):
        if it.is_mistake:
            state, memory = decision.position(game)
            seed = f"unseen {it.step}".encode()
            playouts = Playouts(game, state, decision.move.seat, memory, seed, bot=bot)
            best = Move.parse(it.moves[0].move)
            playouts.play([decision.move, best], DEALS)
            yield Cost(it.cost, playouts.difference(best, decision.move)[0])


def told(found: Sequence[Coached]) -> str:
    """Return the results of these matches as text."""
    mistakes = [cost for it in found for cost in it.mistakes]
    count, matches = len(mistakes), sum(bool(it.mistakes) for it in found)
    said = fsum(it.said for it in mistakes) / max(1, count)
    measured = fsum(it.measured for it in mistakes) / max(1, count)
    seconds = fsum(it.seconds for it in found) / len(found)
    return (
        f"{sum(it.decisions for it in found)} decisions, {sum(it.closely for it in found)} played"
        f" out, {count} mistakes in {matches} of {len(found)} matches, said {said:.2f}, measured"
        f" {measured:.2f}, {seconds:.0f} s a match"
    )


def ratio(found: Sequence[Coached], seed: int = 1) -> str:
    """Return the ratio of the estimated to the measured costs, with its bootstrap interval, as
    text.
    """
    rng = random.Random(seed)
    drawn = sorted(_ratio(rng.choices(found, k=len(found))) for _ in range(RESAMPLES))
    low, high = drawn[RESAMPLES // 40], drawn[-RESAMPLES // 40]
    return f"{_ratio(found):.2f} ({low:.2f} to {high:.2f})"


def _ratio(found: Sequence[Coached]) -> float:
    mistakes = [cost for it in found for cost in it.mistakes]
    measured = fsum(it.measured for it in mistakes)
    return fsum(it.said for it in mistakes) / measured if measured else 1.0


if __name__ == "__main__":
    main()
