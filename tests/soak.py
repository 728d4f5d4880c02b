"""The long runs: `make soak`, or `make soak MINUTES=180`.

Each part is run again and again, each time with another seed, until its share of the time is used;
every part is run once at least. A failure says which command shows it again, and the rest goes on.
"""

import os
import random
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[1]
NIGHT = 240  # minutes from which on the parts that have a long form run in it


@dataclass
class Part:
    """Tests to run; `settings` make them longer, `seed` is the variable that takes a seed."""

    name: str
    share: float  # of the time
    tests: list[str]
    settings: dict[str, str] = field(default_factory=dict)
    seed: str = "KABOOM_SEED"
    long: bool = False  # has a long form
    by: tuple[str, ...] = ("pytest", "-q", "-s")  # what runs them


PARTS = [
    Part(
        "workers die",
        0.2,
        ["tests/proofs/faults/test_points.py"],
        {"KABOOM_DEATHS": "500", "KABOOM_LONG": "1"},
    ),
    Part("stores fail", 0.1, ["tests/proofs/faults/test_stores.py"], {"KABOOM_EPISODES": "5"}),
    Part(
        "the power is cut", 0.1, ["tests/proofs/faults/test_power_cut.py"], {"KABOOM_CUTS": "1000"}
    ),
    Part(
        "servers die, rows are damaged",
        0.1,
        ["tests/proofs/faults/test_kill.py", "tests/proofs/faults/test_damage.py"],
        {"KABOOM_KILLS": "20", "KABOOM_FLIPS": "5000", "KABOOM_LONG": "1"},
    ),
    Part("histories", 0.05, ["tests/proofs/faults/test_histories.py"], {"KABOOM_HISTORIES": "20"}),
    Part(
        "deadlines",
        0.05,
        ["tests/proofs/faults/test_deadlines.py"],
        {"KABOOM_TIMED_TABLES": "100", "KABOOM_CLOCK_KILLS": "50", "KABOOM_LONG": "1"},
    ),
    Part(
        "pages stay open",
        0.1,
        [
            "tests/proofs/faults/test_freshness.py",
            "tests/proofs/faults/test_reload.py",
            "tests/proofs/faults/test_vanish.py",
            "tests/proofs/faults/test_bus.py",
        ],
        {
            "KABOOM_EPISODES": "6",
            "KABOOM_RELOADS": "10",
            "KABOOM_VANISHED": "5000",
            "KABOOM_BURSTS": "50",
            "KABOOM_LONG": "1",
        },
    ),
    Part("any request", 0.1, ["tests/proofs/fuzz"], seed="KABOOM_FUZZ", long=True),
    Part("machines", 0.1, ["tests/proofs/machines"], long=True),
    Part("secrecy", 0.1, ["tests/proofs/secrecy"], {"KABOOM_SHARES": "1"}, long=True),
    Part(
        "in full what `make test` tries a little of",
        0.0,  # once
        [
            "tests/proofs/bots",
            "tests/proofs/faults/test_an_old_worker.py",
            "tests/proofs/faults/test_deal.py",
            "tests/proofs/faults/test_outbox.py",
            "tests/proofs/faults/test_tournament.py",
            "tests/proofs/secrecy/test_planted_in_voices.py",
            "tests/proofs/secrecy/test_planted_leaks.py",
            "tests/proofs/voices",
            "tests/unit/games",
            "tests/unit/push/test_long.py",
            "tests/unit/tables/test_daily.py",
            "tests/unit/tables/test_ratings.py",
            "tests/unit/tables/test_record.py",
            "tests/unit/tables/test_tournaments.py",
            "tests/unit/tables/test_same_cards.py",
            "tests/unit/tournaments",
            "tests/unit/web/test_access.py",
            "tests/unit/web/test_language.py",
            "tests/unit/web/test_match_without_scripts.py",
            "tests/unit/web/test_player.py",
            "tests/unit/web/test_regions.py",
            "tests/unit/web/test_security.py",
            "tests/unit/web/voices/test_moves.py",
            "tests/browser",
            "tests/text_browsers",
            "tests/engines",
            "tests/screen_reader",
        ],
        {"KABOOM_LONG": "1"},
    ),
    Part("changes that tests notice", 0.0, [], by=("tests.proofs.mutation",)),  # once
]


def main(minutes: float) -> int:
    """Run all parts; return how many of them failed."""
    failed = 0
    for part in PARTS:
        long = part.long and minutes >= NIGHT
        began, rounds, wrong = time.monotonic(), 0, 0
        until = began + 60 * minutes * part.share
        while not rounds or (time.monotonic() < until and not long):
            rounds += 1
            wrong += not once(part, random.randrange(1, 10**6), long)
        took = time.monotonic() - began
        print(f"{part.name}: {rounds} rounds, {wrong} failed, {took:.0f} s", flush=True)
        failed += wrong > 0
    return failed


def once(part: Part, seed: int, long: bool) -> bool:
    """Run a part once; return whether it passed."""
    settings = dict(part.settings)
    if long:
        settings["KABOOM_LONG"] = "1"
    else:
        settings[part.seed] = str(seed)
    command = [sys.executable, "-m", *part.by, *part.tests]
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | settings, capture_output=True, text=True, check=False
    )
    telling = ("KABOOM_SEED=", " deaths in ", " passed", " failed", "survived: ")
    for line in done.stdout.splitlines():
        if any(word in line for word in telling):
            print(f"  {line}", flush=True)
    if done.returncode:
        again = " ".join([*(f"{k}={v}" for k, v in settings.items()), "python", *command[1:]])
        print(done.stdout[-5000:], f"  FAILED. Again: {again}", sep="\n", flush=True)
    return not done.returncode


if __name__ == "__main__":
    sys.exit(min(main(float(sys.argv[1])), 1))
