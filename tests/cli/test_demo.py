"""`kaboom demo` fills a new database, and refuses any other."""

import os
import subprocess
import sys

import pytest

from kaboom.cli.demo import FINISHED, PEOPLE, fill
from kaboom.social.clubs import service as clubs
from kaboom.social.friends import queries as friends
from kaboom.tables.maintenance import cleanup_queries
from kaboom.tournaments import service as tournaments
from tests.support.effort import PATIENCE
from tests.support.server import ROOT

KEYS = [f"key of {name}" for name in PEOPLE]


@pytest.mark.slow
def test_demo_has_matches_a_club_and_a_tournament(tables):
    fill(tables, KEYS)
    listed = tables.database.read(lambda c: cleanup_queries.listing(c, 50, 0, False))
    playing = {line.game for line in listed if line.playing}
    finished = [line for line in listed if line.matches and not line.playing]
    assert {"kaboom", "koth"} <= playing
    assert len(finished) >= len(FINISHED)
    assert all(tables.get(line.code).table.outcome for line in finished)
    (club,) = clubs.clubs_of(tables, KEYS[1])
    assert clubs.tables_of(tables, club.code, KEYS[1])
    (cup,) = tournaments.listed(tables, 0)[0]
    assert cup.of.round is not None and len(cup.of.round.pods) == 4
    (reported,) = tables.database.read(friends.all_reports)
    assert (reported.by, reported.about) == (PEOPLE[0], PEOPLE[2])


@pytest.mark.slow
def test_demo_refuses_a_database_with_players(tmp_path):
    environ = {"DATABASE_URL": f"sqlite:///{tmp_path}/demo.sqlite3", "RATE_LIMITS": "0"}
    first, second = (
        subprocess.run(
            [sys.executable, "-m", "kaboom", "demo"],
            cwd=ROOT,
            env=os.environ | environ,
            capture_output=True,
            text=True,
            timeout=10 * PATIENCE,
        )
        for _ in range(2)
    )
    assert first.returncode == 0 and "To sign in as Ann, open this" in first.stdout
    assert second.returncode == 1 and "already has players" in second.stderr
