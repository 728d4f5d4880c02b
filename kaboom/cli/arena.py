"""`kaboom arena`: play many matches of an author's program against the built-in bots, without a
server.
"""

import shlex
import subprocess
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import fsum
from pathlib import Path
from typing import Any

import click

from kaboom.cli.arena_records import recorded
from kaboom.cli.develop import CHOSEN, GAME, SEATS, chosen_options
from kaboom.cli.line_protocol import Fault, Session
from kaboom.engine.bots.bot import Level
from kaboom.engine.bots.duel import summed
from kaboom.engine.bots.evaluate import Match, Player, share_of
from kaboom.engine.game import Game
from kaboom.engine.rng import SEED_BYTES
from kaboom.engine.views import Outcome
from kaboom.games import GAMES

WORST = 5  # lost deals listed
HOPELESS = 3  # deals in a row left unfinished from both sides, after which play stops

RIVALS = ["random", *(f"house-{level}" for level in Level), "house"]


@dataclass
class Duel:
    """A program against the built-in bots in one game, with the results so far."""

    rules: Game[Any]
    options: Any
    seats: int
    command: Sequence[str]  # that starts the program
    rival: Player
    errors: Any  # where its standard error goes
    results: list[tuple[float, float]] = field(default_factory=list)  # by deal: both sides' shares
    lost: dict[int, list[str]] = field(default_factory=dict)  # lost from both sides, with records
    faults: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)  # per move
    unfinished: int = 0  # deals in a row that the program could not finish from either side

    def play(self, number: int) -> None:
        """Play a deal from both sides."""
        sides = [self._side(number, swap) for swap in (0, 1)]
        (one, _), (other, _) = sides
        self.results.append((one, other))
        self.unfinished = 0 if any(record for _, record in sides) else self.unfinished + 1
        if one + other == 0:
            self.lost[number] = [record for _, record in sides if record]

    def _side(self, number: int, swap: int) -> tuple[float, str]:
        """Play a deal from one side; return the share that was won, and the record if it ended."""
        own = [seat for seat in range(self.seats) if seat % 2 == swap]
        sessions = {
            seat: Session(self.command, self.rules, self.options, self.seats, self.errors)
            for seat in own
        }
        players = [
            Player(None, program=sessions[seat].move) if seat in own else self.rival
            for seat in range(self.seats)
        ]
        outcome: Outcome | None = None
        match = Match(self.rules, players, self.options, number.to_bytes(SEED_BYTES, "big"))
        try:
            outcome = match.played()
        except Fault as fault:
            self.faults[str(fault)] += 1
        # A program that fails loses only that match.
        record = ""
        if outcome is not None:
            told = None if self.rival.bot is None else self.rival.level
            record = recorded(self.rules, self.options, number, own, told, match.log, outcome)
        for session in sessions.values():
            self.faults.update([session.fault] if session.fault else [])
            self.seconds += session.seconds
            session.end(outcome)
        return share_of(outcome, own) if outcome else 0.0, record


@click.command()
@click.argument("game", type=GAME)
@click.option("--bot", required=True, help="Command that starts your bot, such as ./sly.")
@click.option(
    "--against",
    type=click.Choice(RIVALS),
    default="house",
    help="The opponent; “house” is the hardest bot.",
)
@click.option(
    "--pairs", default=200, help="Number of deals. Each is played twice, with seats swapped."
)
@click.option("--seed", default=1, help="Number of the first deal.")
@click.option(
    "--times", is_flag=True, help="Also print the time per move. It differs between runs."
)
@click.option(
    "--errors", type=click.File("ab"), help="File to which the bot's standard error is written."
)
@click.option(
    "--records",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the records of the worst losses. Open them at /replay of any server.",
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
    """Let your own bot play against the built-in bots.

    Your bot reads and writes lines of JSON (docs/api.md). It runs on your own machine; servers do
    not run players' code. It has 2 seconds for each move, and 30 more for the whole match.
    """
    rules, options = GAMES[game], chosen_options(game, chosen)
    count = seats or rules.seats(options)[0]
    level = Level(against.partition("-")[2] or Level.HARD)
    rival = Player(None if against == "random" else rules.bot, level)
    duel = Duel(rules, options, count, shlex.split(bot), rival, errors or subprocess.DEVNULL)
    for number in range(seed, seed + pairs):
        duel.play(number)
        if duel.unfinished == HOPELESS:
            click.echo(
                f"{HOPELESS} deals in a row were left unfinished from both sides: the duel is over."
            )
            break
    click.echo(f"{rules.name}, {bot} against {against}: {summed(duel.results)}")
    click.echo(
        f"faults: {', '.join(f'{n} {what}' for what, n in sorted(duel.faults.items())) or 'none'}"
    )
    worst_deals = list(duel.lost)[:WORST]
    if worst_deals:
        click.echo(f"lost from both sides: deals {', '.join(map(str, worst_deals))}")
    if records:
        records.mkdir(parents=True, exist_ok=True)
        for deal in worst_deals:
            for side, text in enumerate(duel.lost[deal], 1):
                (records / f"{game}-{deal}-{side}.json").write_text(text)
    if times and duel.seconds:
        mean, worst = fsum(duel.seconds) / len(duel.seconds), max(duel.seconds)
        click.echo(f"time per move: {1000 * mean:.1f} ms on average, {1000 * worst:.1f} ms at most")
