"""Commands of `flask`: for hosts (maintenance.py, kaboom.admin.cli), about records and puzzles
(kaboom.records.cli, kaboom.puzzles.cli) and for developers (demo.py, develop.py). `kaboom play` is
in play.py, `kaboom arena` in arena.py.
"""

from flask import Flask

from kaboom.admin.cli import host
from kaboom.cli.demo import demo
from kaboom.cli.develop import playthrough, simulate
from kaboom.cli.maintenance import (
    backup,
    clubs,
    expire,
    migrate,
    ratings,
    replay,
    reports,
    restore,
    tables,
)
from kaboom.puzzles.cli import puzzles
from kaboom.records.cli import record, verify

COMMANDS = (
    migrate,
    ratings,
    tables,
    expire,
    clubs,
    reports,
    host,
    backup,
    restore,
    replay,
    record,
    verify,
    puzzles,
    demo,
    simulate,
    playthrough,
)


def init_app(app: Flask) -> None:
    """Add the commands to `flask`."""
    for command in COMMANDS:
        app.cli.add_command(command)
