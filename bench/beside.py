"""A tournament of 1,024 beside other tables: `python -m bench.beside URL --people 1024`.

Run by `python -m bench.load --tournament 1024`. In a server's store it opens a Swiss of people who
are not there, begins it, and has the first round paired anew every ten seconds: the server pairs
1,024 and opens 120 tables each time, as when a round begins; the last ones go first.
"""

import argparse
import os
import time

from kaboom.db.database import Database
from kaboom.engine.codec import to_json
from kaboom.games import GAMES
from kaboom.tables import queries
from kaboom.tables.service import Tables
from kaboom.tournaments import organizer
from kaboom.tournaments import queries as store
from kaboom.tournaments import service as commands
from kaboom.tournaments.changes import TournamentChange, change, look
from kaboom.tournaments.rules.events import Entered, Format, Ruling, Settings, Verb

EVERY = 10.0  # seconds


def begun(tables: Tables, people: int) -> tuple[str, int]:
    """Open and begin the tournament; return its code, and who runs it."""
    game = GAMES["kaboom"]
    options = to_json(game.options(turn_seconds=60)).decode()

    def players(connection):
        return [
            queries.add_player(connection, f"beside {number}", f"P{number}", time.time())
            for number in range(people)
        ]

    ids = tables.database.write(players)
    settings = Settings("Cup", "kaboom", options, Format.SWISS, 4, (2, 3, 4), most=people)
    code = commands.open(tables, ids[0], settings)

    def enter(made: TournamentChange) -> None:
        rows = [
            {
                "tournament_id": made.seen.row.id,
                "number": number,
                "player_id": player,
                "name": f"P{number}",
                "cut": "cut",
            }
            for number, player in enumerate(ids, 1)
        ]
        store.add_entrants(made.connection, rows)
        for number in range(1, people + 1):
            made.add(Entered(number))

    change(tables, code, enter)
    organizer.begin(tables, code, ids[0])
    return code, ids[0]


def main() -> None:
    """Begin it, and pair anew until it is ended from outside."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    parser.add_argument("--people", type=int, default=1024)
    asked = parser.parse_args()
    tables = Tables(Database(asked.url, os.environ.get("SECRET_KEY", "")))
    code, host = begun(tables, asked.people)
    while True:
        time.sleep(EVERY)
        rounds = look(tables, code).of.rounds
        print(f"{len(rounds[0].pods) if rounds else 0} tables of a round", flush=True)
        if rounds:
            organizer.rule(tables, code, host, Ruling(Verb.PAIR, "to measure", round=1))


if __name__ == "__main__":
    main()
