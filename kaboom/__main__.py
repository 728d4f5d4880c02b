"""The command `kaboom`: `kaboom play`, and the other commands for hosts and developers."""

import atexit
from dataclasses import replace
from typing import Any

import click
from flask import Flask
from flask.cli import ScriptInfo

from kaboom.app import create_app
from kaboom.cli import COMMANDS
from kaboom.cli.arena import arena
from kaboom.cli.errors import FORESEEN, sentence
from kaboom.cli.play import play
from kaboom.config import from_environment


class Commands(click.Group):
    """Commands in the order of docs/hosting.md; foreseeable failures are reported in one
    sentence.
    """

    def list_commands(self, context: click.Context) -> list[str]:
        """Return the names of the commands."""
        return list(self.commands)

    def invoke(self, context: click.Context) -> Any:
        """Run a command; it is not a failure if its reader stops early (`| head`)."""
        context.obj = ScriptInfo(create_app=_without_clock)
        try:
            return super().invoke(context)
        except BrokenPipeError:
            raise
        except FORESEEN as error:
            raise click.ClickException(sentence(error)) from error


def _without_clock() -> Flask:
    """Return the application without its clock, for a command: a backup must not make bots'
    moves.
    """
    app = create_app(replace(from_environment(), clock=False))
    atexit.register(app.config["TABLES"].database.close)  # SQLite's data is then in one file again
    return app


kaboom = Commands(
    name="kaboom",
    help="A card room in a link. `kaboom play` serves it. The other commands are for its host, "
    "and the last four for developers.",
    epilog="Settings are environment variables; docs/hosting.md lists them. Commands need the "
    "same ones as the server, DATABASE_URL above all.",
    commands=[play, *COMMANDS, arena],
)
click.version_option(package_name="kaboom-cardroom", message="Kaboom %(version)s")(kaboom)

if __name__ == "__main__":
    kaboom(prog_name="kaboom")
