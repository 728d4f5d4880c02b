"""The same seed gives the same match, with the same hints and ratings, on every Python and machine.

`digests.txt` has a digest of each of fifty matches a game, that of the paces at which bots seem to
think, and that of ratings. The gate plays some of them, `make soak` all. After a wanted change of
what a bot decides, or a game asks, run `make snapshots`. Where one differs only on another Python,

    python -m tests.bots.test_reproducible taken 7

prints what that match consists of on both, to be compared.
"""

import builtins
import hashlib
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kaboom.engine.bots.bot import Level
from kaboom.engine.bots.delays import Pace, by_hand, reaction, thinking
from kaboom.engine.bots.evaluate import Match, Player
from kaboom.engine.bots.names import Temper
from kaboom.engine.codec import to_json
from kaboom.engine.rng import Chance
from kaboom.engine.views import Offer, Prompt
from kaboom.games import GAMES, sample
from kaboom.ratings.openskill import Rating, after_days, rated
from tests.support.builtin_games import OURS
from tests.support.effort import often

FILE = Path(__file__).with_name("digests.txt")
MATCHES = 50
AT_THE_GATE = 6


def lines_of(key: str, number: int) -> Iterator[str]:
    """Yield all that a match consists of: each thought of bots of all levels, and what a hard one
    would hint, with worths to the last digit; each move; and the end.
    """
    game, levels = GAMES[key], list(Level)
    told = sample(key)
    ways = [{**told.short, **values, **told.short} for values in ({}, *told.variants)]
    options = game.options(**ways[number % len(ways)])
    playable = game.playable(options)
    seats = playable[number % len(playable)]
    lines: list[str] = []

    def weigh(memory: Any, view: Any, prompt: Any, chance: Any, level: Level) -> Any:
        found = game.bot.weigh(memory, view, prompt, chance, level)
        if level is not Level.HARD:
            hint = game.bot.weigh(memory, view, prompt, Chance(bytes(32), number), Level.HARD)
            told_of("hint", prompt.seat, hint[:1])
        told_of(level, prompt.seat, found)
        return found

    def told_of(whose: str, seat: int, found: Any) -> None:
        for each in found:
            why = to_json(each.reason).decode()
            lines.append(f"  {whose} of {seat}: {each.move} {float(each.worth).hex()} {why}")

    players = [
        Player(replace(game.bot, weigh=weigh), levels[(seat + number) % len(levels)])
        for seat in range(seats)
    ]
    match = Match(game, players, options, (7000 + number).to_bytes(32, "big"), clocks=number % 2)
    end = match.played()
    yield f"{seats} play by {to_json(options).decode()}"
    yield from lines
    yield from match.log
    yield to_json(end).decode()


def paces() -> Iterator[str]:
    """Yield how long bots seem to think, and who comes first in a race, to the last digit."""
    offers = (Offer(0, "play", (), 0, 0, False, "", blocks=True, confirm=False, token=""),)
    for number in range(500):
        chance = Chance(bytes(32), number)
        for pace in Pace:
            seconds = thinking(pace, Prompt(0, offers), bool(number % 2), (), Temper(1.25), chance)
            yield seconds.hex()
        yield by_hand(bool(number % 2), chance).hex()
        for level in Level:
            first = reaction(level, Temper(missed=5), chance)
            yield "missed" if first is None else first.hex()


def ratings() -> Iterator[str]:
    """Yield the ratings of ten people after each of many matches among some of them."""
    people = [Rating() for _ in range(10)]
    for number in range(500):
        chance = Chance(bytes(32), number)
        some = chance.sample(range(10), 2 + chance.below(4))
        places = [1 + chance.below(len(some)) for _ in some]
        aged = [after_days(people[it], chance.below(60)) for it in some]
        for it, rating in zip(some, rated(aged, places, 1 + chance.below(8)), strict=True):
            people[it] = rating
            yield f"{it}: {rating.mu} {rating.sigma}"


def digest(lines: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]


def as_recorded(found: dict[str, str], update: bool) -> None:
    """Check what was found against the file, or write it there."""
    known = dict(line.rsplit(" ", 1) for line in FILE.read_text().splitlines())
    if update:
        known |= found
        FILE.write_text("".join(f"{name} {known[name]}\n" for name in sorted(known)))
    differs = [name for name, told in found.items() if known.get(name) != told]
    assert not differs, "`make snapshots` if that was meant; else see this file's docstring"


@pytest.mark.parametrize("key", OURS)
def test_matches_of_a_seed_are_alike_everywhere(key, snapshot):
    count = MATCHES if snapshot.update else often(AT_THE_GATE, soak=MATCHES)
    found = {f"{key} {n:02}": digest(lines_of(key, n)) for n in range(count)}
    as_recorded(found, snapshot.update)


@pytest.mark.parametrize("what", [paces, ratings])
def test_paces_and_ratings_are_alike_everywhere(what, snapshot):
    as_recorded({what.__name__: digest(what())}, snapshot.update)


@pytest.mark.parametrize("key", OURS)
def test_a_match_sums_no_floats_by_sum(key, monkeypatch):
    """`sum` of floats ends in other digits since Python 3.12; mypy sees only what has types."""
    plain = sum

    def of_whole_numbers(values: Iterable[Any], /, start: Any = 0) -> Any:
        found = list(values)
        assert not any(isinstance(it, float) for it in found), "use math.fsum"
        return plain(found, start)

    monkeypatch.setattr(builtins, "sum", of_whole_numbers)
    assert list(lines_of(key, 1))


if __name__ == "__main__":
    print(*lines_of(sys.argv[1], int(sys.argv[2])), sep="\n")
