"""Recorded pairings, so that every change of the pairing is noticed.

`pairings.txt` has the first rounds of small and large tournaments of each format. The stronger
usually win, one player is absent once and two are kept apart. `make snapshots` updates it.
"""

from pathlib import Path

from kaboom.tournaments.rules import pairing as rounds_module
from kaboom.tournaments.rules.events import Format, Ruling, Verb
from kaboom.tournaments.rules.standings import standings
from tests.tournaments.rules.test_pairing import DRAW, GAMES, Playing, settings

FILE = Path(__file__).with_name("pairings.txt")
COUNTS = {"gops": (7, 30), "karata": (9, 33), "kaboom": (16, 45), "taken": (17,), "koth": (12, 25)}
ROUNDS = 5


def rounds(format, game, count):
    """Yield the rounds of a tournament as lines: its pods by seat, and the byes."""
    yield f"# {format.value} of {game}, {count} enter"
    chosen = settings(game, format, rounds=ROUNDS if format == Format.SWISS else 0)
    playing = Playing(chosen, count, strength=lambda it: it * 37 % 11 + it)
    playing.add(Ruling(Verb.APART, "twins", (1, 2)))
    for number in range(1, ROUNDS + 1):
        step = rounds_module.next_step(playing.of)
        if step is None or step.what not in ("pair", "wave"):
            break
        if step.what == "pair":
            round = playing.pair()
            pods = " | ".join(" ".join(map(str, pod.entrants)) for pod in round.pods)
            yield f"{number}: {pods}; out: {' '.join(map(str, round.byes)) or 'nobody'}"
        playing.add(rounds_module.wave_started(playing.of, playing.now))
        playing.play(absent=(count // 2,) if number == 2 else ())
    for it in standings(playing.of, DRAW):
        yield f"  {it}"


def told():
    """Yield the lines of the file."""
    for format in Format:
        for game in GAMES:
            for count in COUNTS[game]:
                yield from rounds(format, game, count)


def test_pairing_is_as_recorded(snapshot):
    snapshot.check(FILE, list(told()))
