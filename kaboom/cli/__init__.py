"""Commands of `flask`: for hosts (host.py), about records (records.py) and for developers
(develop.py). `kaboom play` is in play.py.
"""

from flask import Flask

from kaboom.cli import records
from kaboom.cli.develop import playthrough, simulate
from kaboom.cli.host import (
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


def init_app(app: Flask) -> None:
    """Add the commands to `flask`."""
    for command in (
        migrate,
        tables,
        ratings,
        clubs,
        reports,
        replay,
        expire,
        backup,
        restore,
        playthrough,
        simulate,
    ):
        app.cli.add_command(command)
    app.cli.add_command(records.record)
    app.cli.add_command(records.verify)
