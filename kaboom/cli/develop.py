"""Commands for game developers: `flask playthrough`, `flask simulate`."""

import time
from collections.abc import Mapping
from importlib import import_module
from math import fsum
from pathlib import Path
from typing import Any

import click

from kaboom.engine.bots.bot import Bot, Level
from kaboom.engine.bots.evaluate import RANDOM, Player, in_field
from kaboom.engine.options import InvalidOptions, read
from kaboom.engine.rng import SEED_BYTES
from kaboom.engine.toolkit.playthrough import random_match, transcript
from kaboom.games import GAMES

GAME = click.Choice(list(GAMES))
LEVEL = click.Choice([level.value for level in Level])
SEATS = click.option("--seats", type=int, help="Players; the fewest the game needs by default.")
CHOSEN = click.option("--option", "-o", "chosen", multiple=True, help="An option, as name=value.")


@click.command()
@click.argument("game", type=GAME)
@SEATS
@CHOSEN
@click.option("--seed", default="0", help="Hexadecimal, padded to 32 bytes.")
@click.option("--most", default=2000, help="Stop after so many moves.")
@click.option("--out", type=click.Path(path_type=Path), help="A file, instead of the screen.")
def playthrough(
    game: str, seats: int | None, chosen: tuple[str, ...], seed: str, most: int, out: Path | None
) -> None:
    """Write out a match between random players.

    tests/playthroughs keeps such ones.
    """
    rules = GAMES[game]
    options = chosen_options(game, chosen)
    key = bytes.fromhex(seed.zfill(2 * SEED_BYTES))
    count = seats or rules.seats(options)[0]
    moves, _ = random_match(rules, count, options, key, most)
    text = "\n".join(transcript(rules, count, options, key, moves)) + "\n"
    if out is None:
        click.echo(text, nl=False)
    else:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(text)


@click.command()
@click.argument("game", type=GAME)
@SEATS
@CHOSEN
@click.option("--level", type=LEVEL, default="hard", help="How well the bot plays.")
@click.option(
    "--against", default="random", help="random, a level, or a yardstick of tests/baseline_bots."
)
@click.option("--games", default=400, help="Matches: each deal is played from every seat.")
@click.option("--first", default=0, help="The number of the first deal.")
@click.option("--clocks", is_flag=True, help="In a race all react by the clock of their level.")
def simulate(
    game: str,
    seats: int | None,
    chosen: tuple[str, ...],
    level: str,
    against: str,
    games: int,
    first: int,
    clocks: bool,
) -> None:
    """Measure a game's bot in a field of others.

    Its share of the wins is printed, and its times on the processor, neighbours not counted.
    """
    rules = GAMES[game]
    options = chosen_options(game, chosen)
    count = seats or rules.seats(options)[0]
    hero = Player(rules.bot, Level(level))
    rivals = _player(game, against)
    deals = range(first, first + max(1, games // count))
    loop = min(_reference() for _ in range(20))
    began = time.perf_counter()
    found = in_field(
        rules, hero, rivals, deals, count, options, clocks=clocks, now=time.thread_time
    )
    click.echo(f"{rules.name}, {level} against {against}: {found}")
    if found.times:
        times = sorted(found.times)
        for name, seconds in (
            ("mean", fsum(times) / len(times)),
            ("99 %", times[int(0.99 * (len(times) - 1))]),
            ("worst", times[-1]),
        ):
            click.echo(f"{name:>6}: {1000 * seconds:7.2f} ms = {seconds / loop:7.2f} loops")
    click.echo(f"a loop: {1000 * loop:.2f} ms; all: {time.perf_counter() - began:.1f} s")


def _reference() -> float:
    """Return how many seconds of the processor a fixed loop takes: how fast this machine is."""
    began = time.thread_time()
    total = 0
    for number in range(10_000):
        total += number * number % 7
    return time.thread_time() - began


def _player(game: str, name: str) -> Player:
    """Return who plays against the bot: anybody, the bot at a level, or a yardstick."""
    if name == "random":
        return RANDOM
    if name in {*Level}:
        return Player(GAMES[game].bot, Level(name))
    found = yardsticks(game)
    if name not in found:
        names = ", ".join(["random", *Level, *found])
        raise click.UsageError(f"There is no {name} to play {game} against, but {names}.")
    return Player(found[name])


def yardsticks(game: str) -> Mapping[str, Bot[Any]]:
    """Return the plain ways to play a game, by name: the constants of tests/baseline_bots."""
    try:
        module = import_module(f"tests.baseline_bots.{game}")
    except ModuleNotFoundError:  # installed without the tests, or none for this game
        return {}
    bots = {name: it for name, it in vars(module).items() if isinstance(it, Bot)}
    own = GAMES[game].bot
    return {name.lower().replace("_", "-"): it for name, it in bots.items() if it is not own}


def chosen_options(game: str, chosen: tuple[str, ...]) -> Any:
    """Return the options that a command line names; raises UsageError."""
    try:
        return read(GAMES[game].options, dict(text.partition("=")[::2] for text in chosen))
    except InvalidOptions as bad:
        raise click.UsageError(str(bad)) from None
