"""Commands for game developers: `flask playthrough`, `flask simulate`."""

import time
from collections.abc import Mapping, Sequence
from importlib import import_module
from itertools import count, islice
from math import fsum
from pathlib import Path
from typing import Any

import click

from kaboom.engine.bots.bot import Bot, Level
from kaboom.engine.bots.evaluate import RANDOM, Company, Player, in_field, interval
from kaboom.engine.options import InvalidOptions, read
from kaboom.engine.rng import SEED_BYTES
from kaboom.engine.toolkit.playthrough import random_match, transcript
from kaboom.games import GAMES

GAME = click.Choice(list(GAMES))
POPULATION = "population"  # instead of one rival
HALF = click.Choice(("tuning", "unseen"))
LEVEL = click.Choice([level.value for level in Level])
SEATS = click.option(
    "--seats", type=int, help="Number of players. Default: the fewest the game needs."
)
CHOSEN = click.option(
    "--option", "-o", "chosen", multiple=True, help="A game option, as name=value. May be repeated."
)


@click.command()
@click.argument("game", type=GAME)
@SEATS
@CHOSEN
@click.option("--seed", default="0", help="Seed in hexadecimal, padded to 32 bytes.")
@click.option("--most", default=2000, help="Maximum number of moves to play.")
@click.option("--out", type=click.Path(path_type=Path), help="Output file, instead of the screen.")
def playthrough(
    game: str, seats: int | None, chosen: tuple[str, ...], seed: str, most: int, out: Path | None
) -> None:
    """Print a match between random players, as in tests/playthroughs."""
    rules = GAMES[game]
    options = chosen_options(game, chosen)
    key = bytes.fromhex(seed.zfill(2 * SEED_BYTES))
    seated = seats or rules.seats(options)[0]
    moves, _ = random_match(rules, seated, options, key, most)
    text = "\n".join(transcript(rules, seated, options, key, moves)) + "\n"
    if out is None:
        click.echo(text, nl=False)
    else:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(text)


@click.command()
@click.argument("game", type=GAME)
@SEATS
@CHOSEN
@click.option("--level", type=LEVEL, default="hard", help="Level of the bot.")
@click.option(
    "--against",
    default="random",
    help="random, a level, a baseline bot from tests/baseline_bots, or “population” for many.",
)
@click.option(
    "--games",
    default=400,
    help="Number of matches against each rival. Each deal is played from every seat.",
)
@click.option("--half", type=HALF, help="Use only this half of the population.")
@click.option("--first", default=0, help="Number of the first deal.")
@click.option(
    "--clocks", is_flag=True, help="In a race, bots react after the delay for their level."
)
def simulate(
    game: str,
    seats: int | None,
    chosen: tuple[str, ...],
    level: str,
    against: str,
    games: int,
    half: str | None,
    first: int,
    clocks: bool,
) -> None:
    """Measure a game's bot against others.

    Prints the bot's share of the wins and its CPU time per move.
    """
    rules = GAMES[game]
    options = chosen_options(game, chosen)
    seated = seats or rules.seats(options)[0]
    hero = Player(rules.bot, Level(level))
    deals = range(first, first + max(1, games // seated))
    if against == POPULATION:
        for each in [half] if half else HALF.choices:
            _against_population(game, hero, each, deals, seated, options)
        return
    rivals = _player(game, against)
    loop = min(_reference() for _ in range(20))
    began = time.perf_counter()
    found = in_field(
        rules, hero, rivals, deals, seated, options, clocks=clocks, now=time.thread_time
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


def _against_population(
    game: str, hero: Player, half: str, deals: Sequence[int], seats: int, options: Any
) -> None:
    """Print the share of wins against each rival in one half of the population, and against groups
    of rivals.

    Each rival plays the same number of different deals, so that all results are independent.
    """
    module = import_module("tests.baseline_bots.population")
    rivals = module.population(game, module.Half(half))
    numbers = count(deals[0])

    def measure(name: str, others: Player | Company) -> list[float]:
        fresh = [*islice(numbers, len(deals))]
        found = in_field(GAMES[game], hero, others, fresh, seats, options)
        click.echo(f"  {name:12} {_percent(found.shares)}")
        return found.shares

    click.echo(f"{GAMES[game].name}, {hero.level} against the {half} half:")
    thinking: list[list[float]] = []
    plain: list[list[float]] = []
    for rival in rivals:
        (thinking if rival.thinks else plain).append(measure(str(rival), Player(rival.bot)))
    if seats > 2:
        measure("mixtures", lambda n: [Player(it) for it in module.mixture(rivals, seats - 1, n)])
    worst = min(thinking, key=lambda shares: interval(shares)[0])
    for name, many in (("all who think", thinking), ("random ones", plain), ("the worst", [worst])):
        click.echo(f"  {name:14} {_percent([share for shares in many for share in shares])}")


def _percent(shares: Sequence[float]) -> str:
    mean, half = interval(shares)
    return f"{100 * mean:5.1f} ± {100 * half:.1f} %"


def _reference() -> float:
    """Return the CPU seconds that a reference loop takes, as a measure of this machine's speed."""
    began = time.thread_time()
    total = 0
    for number in range(10_000):
        total += number * number % 7
    return time.thread_time() - began


def _player(game: str, name: str) -> Player:
    """Return the opponent with that name: a random player, the game's bot at a level, or a baseline
    bot.
    """
    if name == "random":
        return RANDOM
    if name in {*Level}:
        return Player(GAMES[game].bot, Level(name))
    found = yardsticks(game)
    if name not in found:
        names = ", ".join(["random", *Level, POPULATION, *found])
        raise click.UsageError(f"Unknown opponent {name} for {game}. Choose one of: {names}.")
    return Player(found[name])


def yardsticks(game: str) -> Mapping[str, Bot[Any]]:
    """Return the baseline bots of a game, by name: the constants of tests/baseline_bots."""
    try:
        module = import_module(f"tests.baseline_bots.{game}")
    except ModuleNotFoundError:  # installed without the tests, or none for this game
        return {}
    bots = {name: it for name, it in vars(module).items() if isinstance(it, Bot)}
    own = GAMES[game].bot
    return {name.lower().replace("_", "-"): it for name, it in bots.items() if it is not own}


def chosen_options(game: str, chosen: tuple[str, ...]) -> Any:
    """Return the options given on a command line; raises UsageError."""
    try:
        return read(GAMES[game].options, dict(text.partition("=")[::2] for text in chosen))
    except InvalidOptions as bad:
        raise click.UsageError(str(bad)) from None
