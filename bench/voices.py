"""What a look of a program costs, beside the fragment that an open page fetches, in each game."""

import re
from collections.abc import Sequence
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from bench.browser import Browser
from bench.room import NAMES, database, sat_down
from bench.server import Server
from bench.table import Row, at_most
from kaboom.engine.codec import from_json

ROUNDS = 9
LOOKS = 60
FRAGMENT = "/view?v=0"
VOICES = {"JSON": ".json", "text": ".txt", "speech": ".say"}
# How many play each game, and what makes a match long enough to be measured in the middle.
GAMES: dict[str, tuple[int, dict[str, str]]] = {
    "gops": (2, {}),
    "kaboom": (4, {"rounds": "20"}),
    "karata": (4, {"deal": "7", "games": "9"}),
    "koth": (5, {}),
    "taken": (4, {}),
}
PEOPLE = (*NAMES, "Eve")
LINES = 30  # of the log: as many as are shown
KEY = re.compile(r"kb_[\w-]{49}")


class Program(Browser):
    """A program that looks with a key of its player, and says no more than such programs do."""

    def headers(self, path: str) -> dict[str, str]:
        """Return what a question says besides its address: its key."""
        return {"Authorization": f"Bearer {self.key}", "Accept-Encoding": "gzip, deflate"}


def rows(folder: Path) -> list[Row]:
    """Compare the processor time of looks at one table, each as its player finds it."""
    ratios = {game: compared(folder, game) for game in GAMES}
    found = []
    for voice in VOICES:
        each = {game: ratios[game][voice] for game in GAMES}
        middle = {game: median(each[game]) for game in GAMES}
        more = ", ".join(
            f"{game} {middle[game]:.2f}, {min(each[game]):.2f} to {max(each[game]):.2f}"
            for game in GAMES
        )
        name = f"a look as {voice}, × the fragment, at most of five games"
        found.append(at_most(name, max(middle.values()), 1, more=more))
    return found


def compared(folder: Path, game: str) -> dict[str, list[float]]:
    """Return what a look takes in each voice, in fragments, as often as there are rounds."""
    count, options = GAMES[game]
    with Server(folder, DATABASE_URL=database(folder, game)) as server:
        people = sat_down(server, game, PEOPLE[:count], **options)
        programs = [program_of(person) for person in people]
        play(people, programs)
        found: dict[str, list[float]] = {voice: [] for voice in VOICES}
        for _ in range(ROUNDS):
            fragment = cost(server, people, FRAGMENT)
            for voice, ending in VOICES.items():
                found[voice].append(cost(server, programs, ending) / fragment)
        for each in (*people, *programs):
            each.close()
    return found


def program_of(person: Browser) -> Program:
    """Return a program that looks for somebody, with a key that they have made."""
    made = person.ask("POST", "/me/keys", {"key_name": "bench", "scope": "look"})
    key = KEY.search(made.text)
    assert key, made.text
    program = Program(person.port, key[0])
    program.table = person.table
    return program


def play(people: Sequence[Browser], programs: Sequence[Program]) -> None:
    """Play on until the log is as long as it gets; the moves are drawn from those told."""
    chance, lines = Random(7), 0
    while lines < LINES:
        for person, program in zip(people, programs, strict=True):
            table: Any = from_json(program.ask("GET", f"{program.table}.json").body, dict)
            assert table["stage"] == "playing", "the match was over before it was measured"
            lines = len(table["log"])
            offers = [it for it in table["moves"] if it["blocks"] and it["some"]]
            if offers and lines < LINES:
                # Who only draws gets nowhere.
                offer = max(offers, key=lambda it: (bool(it["options"]), chance.random()))
                words = " ".join([offer["verb"], *chance.choice(offer["some"])])
                fields = {"answers": table["menu"], "move": words}
                person.ask("POST", f"{person.table}/move", fields)


def cost(server: Server, people: Sequence[Browser], ending: str) -> float:
    """Return the milliseconds of processor time that looks of everybody there take."""
    before = server.cpu()
    for number in range(LOOKS):
        person = people[number % len(people)]
        answer = person.ask("GET", f"{person.table}{ending}")
        assert answer.status == 200, answer.body
    return server.cpu() - before
