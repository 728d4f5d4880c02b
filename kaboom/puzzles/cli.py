"""`kaboom puzzles mine GAME`: finds puzzles and writes them to the game's folder."""

import os
from collections.abc import Iterable, Iterator
from itertools import count as from_number

import click

from kaboom.engine.bots.bot import HUNDRED
from kaboom.games import GAMES
from kaboom.puzzles.book import SEED_BASE, InvalidPuzzle, file_of, read, written
from kaboom.puzzles.mining import Wanted, mined

REPORT_EVERY = 10  # matches


@click.group()
def puzzles() -> None:
    """Puzzles, as at /puzzles."""


@puzzles.command()
@click.argument("key", metavar="GAME", type=click.Choice(sorted(GAMES)))
@click.option("--count", default=HUNDRED, show_default=True, help="Puzzles of the game in all.")
@click.option("--seats", default=0, help="Players at the table; the fewest there can be if 0.")
@click.option("--first", default=0, help="The number of the first match; 0: after the last one.")
@click.option("-o", "--option", "chosen", multiple=True, help="An option of the game: name=value.")
def mine(key: str, count: int, seats: int, first: int, chosen: tuple[str, ...]) -> None:
    """Find puzzles in matches between bots.

    Each puzzle is written as soon as it is found. If the command is stopped and run again, it
    continues after the match of the last puzzle. If it finds none, perhaps no best move is ahead by
    as much as `least` in the game's analysis.
    """
    game, file = GAMES[key], file_of(key)
    try:
        there = read(file)
    except InvalidPuzzle as bad:
        raise click.ClickException(str(bad)) from None
    if game.bot is None:
        raise click.ClickException(f"{game.name} has no bot of its own to judge moves.")
    values = dict(game.board or {})
    for text in chosen:
        name, _unused, value = text.partition("=")
        values[name] = int(value) if value.lstrip("-").isdecimal() else value
    options = game.options(**values)
    seats = seats or min(game.playable(options))
    if seats not in game.playable(options):
        raise click.ClickException(
            f"{game.name} cannot be played by {seats} players with these options."
        )
    last = max((int(it.seed, SEED_BASE) for it in there), default=0)
    numbers = from_number(first or last + 1)
    known, wanted = {it.id for it in there}, Wanted.beside(count, there)
    if wanted.done:
        click.echo(f"{game.name} has {len(there)} puzzles.")
        return
    with file.open("rb+" if file.exists() else "wb") as out:
        out.seek(sum(len(written(it)) for it in there))  # overwrite a truncated last line
        out.truncate()
        for puzzle in mined(game, seats, values, reported(numbers, wanted), wanted):
            if puzzle.id in known:
                continue
            out.write(written(puzzle))
            out.flush()
            os.fsync(out.fileno())
            total = wanted.themes.total()
            click.echo(f"{total} {puzzle.id} {puzzle.theme} {puzzle.strength} {puzzle.found}")


def reported(numbers: Iterable[int], wanted: Wanted) -> Iterator[int]:
    """Yield the numbers of matches; print how far the search is after every tenth one."""
    for searched, number in enumerate(numbers):
        if searched and searched % REPORT_EVERY == 0:
            found = wanted.themes.total()
            click.echo(f"{searched} matches searched, {found} of {wanted.count} puzzles", err=True)
        yield number
