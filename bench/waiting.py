"""How long players wait for opponents: `python -m bench.waiting [SIZE …]`.

People arrive at random during a day with a busy evening, want a certain game or any, and leave when
their patience runs out. kaboom.matchmaking.pairing decides who play together, and pages ask again
every few seconds, as real pages do. No player accepts bots, which would end every wait after thirty
seconds.
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import quantiles

from kaboom.games import GAMES
from kaboom.matchmaking.pairing import Seeker, paired

SIZES = (100, 1_000, 2_000, 10_000)  # people a day
DAY = 86_400.0
# Assumptions.
EVENING = 0.5  # half of a day's arrivals fall within four hours
ANY = 0.5  # share that accepts any game; the others want each game equally often
RATED = 0.3  # share that wants a rated match; half of the others do not mind
HAVE_RATING = 0.5
SPREAD = 4_000  # in thousandths of a rating point
PATIENCE = 300.0  # seconds, on average
LOOK = 5.0  # seconds between two requests of a waiting page


@dataclass(frozen=True, slots=True)
class Waited:
    """The end of a wait: the seconds, and whether it ended in a seat."""

    game: str
    seconds: float
    seated: bool


def came(people: int, rng: random.Random) -> Iterator[tuple[float, Seeker, float]]:
    """Yield a day's players in order: arrival, request and departure."""
    at = sorted(
        rng.uniform(0.75, 0.75 + 4 / 24) * DAY if rng.random() < EVENING else rng.random() * DAY
        for _ in range(people)
    )
    every = sorted(GAMES, key=lambda key: key != "kaboom")
    for number, moment in enumerate(at):
        games = tuple(every) if rng.random() < ANY else (rng.choice(every),)
        rated = True if rng.random() < RATED else rng.choice((None, False))
        rating = round(rng.gauss(25_000, SPREAD)) if rng.random() < HAVE_RATING else None
        ratings = {} if rating is None else dict.fromkeys(games, rating)
        wants = Seeker(number, games, 0, rated, moment, None, ratings)
        yield moment, wants, moment + rng.expovariate(1 / PATIENCE)


def waits(people: int, seed: int = 51) -> list[Waited]:
    """Return the waits of a day with this many people."""
    ended: list[Waited] = []
    waiting: dict[int, tuple[Seeker, float]] = {}
    next_look = 0.0

    def look(now: float, me: Seeker) -> None:
        others = [it for it, _ in waiting.values() if it.player != me.player]
        found = paired(me, others, (), _playable, now)
        for player in found.players if found else ():
            it, _ = waiting.pop(player)
            ended.append(Waited(_wanted(it), now - it.since, True))

    def looks_until(now: float) -> None:
        nonlocal next_look
        while next_look < now:
            for it, until in list(waiting.values()):
                if it.player not in waiting:
                    continue  # seated by an earlier request
                if until > next_look:
                    look(next_look, it)
                    continue
                del waiting[it.player]
                ended.append(Waited(_wanted(it), until - it.since, False))
            next_look = next_look + LOOK if waiting else now

    for now, wants, until in came(people, random.Random(seed)):
        looks_until(now)
        waiting[wants.player] = (wants, until)
        look(now, wants)
    looks_until(2 * DAY)
    assert len(ended) == people, "no player is lost, and none is seated twice"
    return ended


def _playable(game: str, days: int) -> Sequence[int]:
    return _SEATS[game]


_SEATS = {
    key: [it for it in game.playable(game.options(**game.usual.values)) if it > 1]
    for key, game in GAMES.items()
}


def _wanted(it: Seeker) -> str:
    return it.games[0] if len(it.games) == 1 else "any"


def row(people: int, name: str, found: Sequence[Waited]) -> str:
    """Return a line of the table: the share of players who found a game, and their waits."""
    seated = [it.seconds for it in found if it.seated]
    share = f"{100 * len(seated) / max(1, len(found)):.0f} %"
    if len(seated) < 10:
        return f"| {people:,} | {name} | {share} | | |"
    cut = quantiles(seated, n=10)
    return f"| {people:,} | {name} | {share} | {cut[4]:.0f} s | {cut[8]:.0f} s |"


def main(words: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="bench.waiting", description=__doc__)
    parser.add_argument("sizes", nargs="*", type=int, default=SIZES, help="people a day")
    print("| people a day | game | found players | median wait | nine in ten within |")
    print("| --- | --- | --- | --- | --- |")
    for people in parser.parse_args(words).sizes:
        found = waits(people)
        print(row(people, "all", found))
        for name in ("any", *GAMES):
            print(row(people, name, [it for it in found if it.game == name]))


if __name__ == "__main__":
    main()
