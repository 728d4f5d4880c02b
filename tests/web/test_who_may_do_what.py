"""Who may do what: every route, asked by everybody who could ask, at a table with a password.

A route that is missing from this page fails. Each row is asked in its own copy of the same table.
"""

import hashlib
import re
import shutil
from dataclasses import dataclass

import pytest

from kaboom.games import GAMES
from kaboom.store.database import Database
from kaboom.tables.door import enter
from tests.server import SECRET
from tests.tables.test_service import all_ready
from tests.web.forms import Page

ROLES = ("nobody", "stranger", "watcher", "other", "own", "former", "host")
NAMES = {"host": "Hal", "own": "Ann", "other": "Ben", "former": "Fay", "stranger": "Sam"}
ALL = (200,) * 7
INSIDE = (403, 403, 200, 200, 200, 200, 200)  # whoever was let in
PLAYERS = (403, 403, 403, 303, 303, 403, 303)
HOST = (403, 403, 403, 403, 403, 403, 303)

# Route → when it is asked (before, in or after a match), the form, and each role's answer.
ROWS: dict[str, tuple[str, dict[str, str], tuple[int, ...]]] = {
    "GET /": ("lobby", {}, ALL),
}


@dataclass
class World:
    """A table at one stage, in a file that is copied for each question."""

    code: str
    record: str
    url: str
    facts: dict[str, str]


def key(role):
    return f"key-of-{role}"


def key_hash(role):
    return hashlib.sha256(key(role).encode()).hexdigest()


@pytest.fixture(scope="module")
def worlds(migrated_sqlite, tmp_path_factory, one_app):
    """A function: the table at a stage."""
    made: dict[str, World] = {}

    def at(stage):
        if stage not in made:
            made[stage] = build(stage, migrated_sqlite, tmp_path_factory.mktemp(stage), one_app)
        return made[stage]

    return at
