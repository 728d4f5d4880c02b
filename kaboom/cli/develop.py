"""Commands for game developers: `flask playthrough`, `flask simulate`."""

import time
from pathlib import Path
from typing import Any

import click

from kaboom.bots.duel import RANDOM, duel
from kaboom.core.chance import SEED_BYTES
from kaboom.core.options import BadOptions, read
from kaboom.core.playthrough import random_match, transcript
from kaboom.games import GAMES

GAME = click.Choice(list(GAMES))
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
    """Write out a match between random players, as kept in tests/playthroughs."""
    rules = GAMES[game]
    options = _options(game, chosen)
    key = bytes.fromhex(seed.zfill(2 * SEED_BYTES))
    count = seats or rules.seats(options)[0]
    moves, _ = random_match(rules, count, options, key, most)
    text = "\n".join(transcript(rules, count, options, key, moves)) + "\n"
    if out is None:
        click.echo(text, nl=False)
    else:
        out.write_text(text)


@click.command()
@click.argument("game", type=GAME)
@SEATS
@CHOSEN
@click.option("--pairs", default=100, help="Pairs of matches: same deal, seats swapped.")
def simulate(game: str, seats: int | None, chosen: tuple[str, ...], pairs: int) -> None:
    """Play a game's bots against random players, and print how often the bots win."""
    rules = GAMES[game]
    options = _options(game, chosen)
    began = time.perf_counter()
    count = seats or rules.seats(options)[0]
    click.echo(duel(rules, rules.bot, RANDOM, pairs, count, options))
    click.echo(f"{time.perf_counter() - began:.1f} s")


def _options(game: str, chosen: tuple[str, ...]) -> Any:
    try:
        return read(GAMES[game].options, dict(text.partition("=")[::2] for text in chosen))
    except BadOptions as bad:
        raise click.UsageError(str(bad)) from None
