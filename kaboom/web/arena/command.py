"""`kaboom arena`: a program of one's own plays many matches against the house, without a server."""

import shlex
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import click

from kaboom.bots.duel import summed
from kaboom.bots.measure import Match, Player
from kaboom.cli.develop import CHOSEN, GAME, SEATS, chosen_options
from kaboom.core.bot import Level
from kaboom.core.chance import SEED_BYTES
from kaboom.core.views import Outcome
from kaboom.games import GAMES
from kaboom.web.arena.line_bot import Fault, Session
from kaboom.web.arena.records import recorded

WORST = 5  # deals that are named

RIVALS = ["random", *(f"house-{level}" for level in Level), "house"]


@click.command()
@click.argument("game", type=GAME)
@click.option("--bot", required=True, help="The command that starts your bot, such as ./sly.")
@click.option("--against", type=click.Choice(RIVALS), default="house", help="house is its hardest.")
@click.option("--pairs", default=200, help="Deals; each is played twice, seats swapped.")
@click.option("--seed", default=1, help="The number of the first deal.")
@click.option("--times", is_flag=True, help="Also say how long a move took: no two runs are alike.")
@click.option("--errors", type=click.File("ab"), help="Where the bot's standard error goes.")
@click.option(
    "--records",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where to write the records of the worst losses, to be opened at /look of any server.",
)
@SEATS
@CHOSEN
def arena(
    game: str,
    bot: str,
    against: str,
    pairs: int,
    seed: int,
    times: bool,
    errors: Any,
    records: Path | None,
    seats: int | None,
    chosen: tuple[str, ...],
) -> None:
    """Let a bot that talks by lines of JSON (docs/api.md) play against the house.

    Servers never run anybody's code: this is for your own machine. It has 2 seconds for a move, and
    30 more for each match.
    """
    rules, options = GAMES[game], chosen_options(game, chosen)
    count = seats or rules.seats(options)[0]
    level = Level(against.partition("-")[2] or Level.HARD) if against != "random" else Level.HARD
    by_chance = against == "random"
    rival = Player(None if by_chance else rules.bot, level)
    lost: dict[int, list[str]] = {}  # deals lost from both sides, each with its records
    results: list[tuple[float, float]] = []
    faults: Counter[str] = Counter()
    seconds: list[float] = []
    for number in range(seed, seed + pairs):
        shares, both = [], []
        for swap in (0, 1):
            own = [seat for seat in range(count) if seat % 2 == swap]
            sessions = {
                seat: Session(shlex.split(bot), rules, options, count, errors or subprocess.DEVNULL)
                for seat in own
            }
            players = [
                Player(None, program=sessions[seat].move) if seat in own else rival
                for seat in range(count)
            ]
            outcome: Outcome | None = None
            match = Match(rules, players, options, number.to_bytes(SEED_BYTES, "big"))
            try:
                outcome = match.played()
            except Fault as fault:
                faults[str(fault)] += 1
            # Whoever fails loses that match, and no other.
            winners = (outcome.winners or range(count)) if outcome else ()
            shares.append(sum(seat in own for seat in winners) / len(winners) if winners else 0.0)
            if outcome is not None:
                told = None if by_chance else level
                both.append(recorded(rules, options, number, own, told, match.log, outcome))
            for session in sessions.values():
                faults.update([session.fault] if session.fault else [])
                seconds += session.seconds
                session.end(outcome)
        results.append((shares[0], shares[1]))
        if sum(shares) == 0:
            lost[number] = both
    click.echo(f"{rules.name}, {bot} against {against}: {summed(results)}")
    click.echo(
        f"faults: {', '.join(f'{n} {what}' for what, n in sorted(faults.items())) or 'none'}"
    )
    worst_deals = list(lost)[:WORST]
    if worst_deals:
        click.echo(f"lost from both sides: deals {', '.join(map(str, worst_deals))}")
    if records:
        records.mkdir(parents=True, exist_ok=True)
        for deal in worst_deals:
            for side, text in enumerate(lost[deal], 1):
                (records / f"{game}-{deal}-{side}.json").write_text(text)
    if times and seconds:
        mean, worst = sum(seconds) / len(seconds), max(seconds)
        click.echo(f"a move: {1000 * mean:.1f} ms in the mean, {1000 * worst:.1f} ms at worst")
