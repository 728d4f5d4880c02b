"""What a tournament of 1,024 costs: `python -m bench.tournament [--people 1024]`.

A Swiss of Kaboom on SQLite: each round is paired, its first wave of tables opened, its results made
up; then pages are asked for. Prints processor seconds.
"""

import argparse
import tempfile
import time
from pathlib import Path

from kaboom.app import create_app
from kaboom.config import ServerSettings
from kaboom.db.migrate import upgrade
from kaboom.engine.bots.bot import Level
from kaboom.engine.codec import to_json
from kaboom.games import GAMES
from kaboom.tables import queries
from kaboom.tournaments import organizer
from kaboom.tournaments import service as commands
from kaboom.tournaments.cache import cache_of
from kaboom.tournaments.changes import change, look
from kaboom.tournaments.rules import rounds as course
from kaboom.tournaments.rules.events import (
    Format,
    How,
    PodOver,
    Ruling,
    SeatResult,
    Settings,
    Verb,
)
from kaboom.tournaments.rules.standings import standings
from kaboom.tournaments.scheduler import direct


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=1024)
    people = parser.parse_args().people
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'kaboom.sqlite3'}"
        upgrade(url)
        app = create_app(ServerSettings(url, rate_limits=False, clock=False))
        tables, game = app.config["TABLES"], GAMES["kaboom"]
        host = tables.database.write(lambda c: queries.add_player(c, "key", "Ann", time.time()))
        options = game.options(turn_seconds=60)
        settings = Settings(
            "Cup", "kaboom", to_json(options).decode(), Format.SWISS, 4, (2, 3, 4), most=people
        )
        code = commands.open(tables, host, settings)
        timed("enter all", commands.add_bots, tables, code, host, people, Level.EASY)
        organizer.begin(tables, code, host)
        for number in range(1, course.rounds(look(tables, code).of) + 1):
            draw = look(tables, code).draw()
            of = look(tables, code).of
            timed(f"pairing of round {number}", course.pairing, of, draw, 120)
            direct(tables, code)  # pairs
            direct(tables, code)  # the first wave
            if number == 1:
                timed("open 120 tables", direct, tables, code)
            change(tables, code, made_up)
        timed("standings", standings, look(tables, code).of, look(tables, code).draw())
        cache_of(tables).forget(code)
        timed("read and fold the log", look, tables, code)
        looked_at(app.test_client(), code, "while it is played")
        organizer.rule(tables, code, host, Ruling(Verb.END, "measured"))
        looked_at(app.test_client(), code, "after its end")


def looked_at(client, code, when) -> None:
    """Ask for pages, and in JSON."""
    for path in ("/", f"/e/{code}", f"/e/{code}.json", f"/e/{code}/standings"):
        timed(f"{path}, {when}, first", client.get, path)
        timed(
            f"{path}, {when}, again, mean of 50",
            lambda path=path: [client.get(path) for _ in range(50)],
            share=50,
        )


def made_up(made) -> None:
    """Give every table of the round a result."""
    round = made.of.rounds[-1]
    for number, pod in enumerate(round.pods):
        seats = tuple(
            SeatResult(it, How.PLAYED, 1 + (it * 7919 + round.number) % 4) for it in pod.entrants
        )
        made.add(PodOver(round.number, number, seats, 0.0))


def timed(what, work, *args, share=1):
    """Return work(*args), and print how long it took."""
    began = time.process_time()
    found = work(*args)
    print(f"{what}: {(time.process_time() - began) / share:.3f} s")
    return found


if __name__ == "__main__":
    main()
