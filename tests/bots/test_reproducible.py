"""The same seed gives the same match, hints and ratings, on every Python and machine.

`digests.txt` has digests of matches of each game, of bots' apparent thinking times, and of ratings.
`make test` plays some of them, `make soak` all. After an intended change of a bot's decisions or a
game's questions, run `make snapshots`. If a digest differs only on another Python, compare the
output of

python -m tests.bots.test_reproducible taken 7

on both, which prints the contents of that match.
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
from kaboom.engine.bots.delays import Pace, decision_seconds, person_seconds, reaction_seconds
from kaboom.engine.bots.evaluate import Match, Player
from kaboom.engine.bots.names import Temper
from kaboom.engine.codec import to_json
from kaboom.engine.rng import Rng
from kaboom.engine.views import Offer, Prompt
from kaboom.games import GAMES, sample
from kaboom.ratings.openskill import Rating, after_days, rated
from tests.support.builtin_games import OURS
from tests.support.effort import often

FILE = Path(__file__).with_name("digests.txt")
MATCHES = 50
FEWER = {"koth": 12}  # a match takes seconds
AT_THE_GATE = 6
FEWER_AT_THE_GATE = {"koth": 2}


def lines_of(key: str, number: int) -> Iterator[str]:
    """Yield everything in a match: each thought of bots at all levels, hard bots' hints with exact
    values, each move and the end.
    """
    game, levels = GAMES[key], list(Level)
    told = sample(key)
    ways = [{**told.short, **values, **told.short} for values in ({}, *told.variants)]
    options = game.options(**ways[number % len(ways)])
    playable = game.playable(options)
    seats = playable[number % len(playable)]
    lines: list[str] = []

    def weigh(memory: Any, view: Any, prompt: Any, rng: Any, level: Level) -> Any:
        found = game.bot.weigh(memory, view, prompt, rng, level)
        if level is not Level.HARD:
            hint = game.bot.weigh(memory, view, prompt, Rng(bytes(32), number), Level.HARD)
            told_of("hint", prompt.seat, hint[:1])
        told_of(level, prompt.seat, found)
        return found

    def told_of(whose: str, seat: int, found: Any) -> None:
        for each in found:
            why = to_json(each.reason).decode()
            lines.append(f"  {whose} of {seat}: {each.move} {float(each.worth).hex()} {why}")

    players = [
        Player(replace(game.bot, weigh=weigh, decide=None), levels[(seat + number) % len(levels)])
        for seat in range(seats)
    ]
    match = Match(game, players, options, (7000 + number).to_bytes(32, "big"), clocks=number % 2)
    end = match.played()
    yield f"{seats} play by {to_json(options).decode()}"
    yield from lines
    yield from match.log
    yield to_json(end).decode()


def paces() -> Iterator[str]:
    """Yield the bots' apparent thinking times and the winners of races, exactly."""
    offers = (Offer(0, "play", (), 0, 0, False, "", blocks=True, confirm=False, token=""),)
    for number in range(500):
        rng = Rng(bytes(32), number)
        for pace in Pace:
            seconds = decision_seconds(
                pace, Prompt(0, offers), bool(number % 2), (), Temper(1.25), rng
            )
            yield seconds.hex()
        yield person_seconds(bool(number % 2), rng).hex()
        for level in Level:
            first = reaction_seconds(level, Temper(missed=5), rng)
            yield "missed" if first is None else first.hex()


def ratings() -> Iterator[str]:
    """Yield the ratings of ten people after each of many matches."""
    people = [Rating() for _ in range(10)]
    for number in range(500):
        rng = Rng(bytes(32), number)
        some = rng.sample(range(10), 2 + rng.randrange(4))
        places = [1 + rng.randrange(len(some)) for _ in some]
        aged = [after_days(people[it], rng.randrange(60)) for it in some]
        for it, rating in zip(some, rated(aged, places, 1 + rng.randrange(8)), strict=True):
            people[it] = rating
            yield f"{it}: {rating.mu} {rating.sigma}"


def digest(lines: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]


def as_recorded(found: dict[str, str], update: bool) -> None:
    """Compare the result with the file, or write the file."""
    known = dict(line.rsplit(" ", 1) for line in FILE.read_text().splitlines())
    if update:
        known |= found
        FILE.write_text("".join(f"{name} {known[name]}\n" for name in sorted(known)))
    differs = [name for name, told in found.items() if known.get(name) != told]
    assert not differs, "`make snapshots` if that was meant; else see this file's docstring"


@pytest.mark.parametrize("key", OURS)
def test_matches_with_the_same_seed_are_the_same_everywhere(key, snapshot):
    most = FEWER.get(key, MATCHES)
    count = most if snapshot.update else often(FEWER_AT_THE_GATE.get(key, AT_THE_GATE), soak=most)
    found = {f"{key} {n:02}": digest(lines_of(key, n)) for n in range(count)}
    as_recorded(found, snapshot.update)


@pytest.mark.parametrize("what", [paces, ratings])
def test_bot_delays_and_ratings_are_the_same_everywhere(what, snapshot):
    as_recorded({what.__name__: digest(what())}, snapshot.update)


@pytest.mark.parametrize("key", OURS)
def test_match_never_adds_floats_with_builtin_sum(key, monkeypatch):
    """Since Python 3.12, `sum` rounds floats differently; mypy only sees code with types."""
    plain = sum

    def of_whole_numbers(values: Iterable[Any], /, start: Any = 0) -> Any:
        found = list(values)
        assert not any(isinstance(it, float) for it in found), "use math.fsum"
        return plain(found, start)

    monkeypatch.setattr(builtins, "sum", of_whole_numbers)
    assert list(lines_of(key, 1))


if __name__ == "__main__":
    print(*lines_of(sys.argv[1], int(sys.argv[2])), sep="\n")
