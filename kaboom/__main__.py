"""The command `kaboom` of an installed package: `kaboom play`, and all that `flask` offers."""

from flask.cli import FlaskGroup

from kaboom.cli.play import play
from kaboom.web.app import create_app
from kaboom.web.arena.command import arena

kaboom = FlaskGroup(
    name="kaboom",
    help="A card room in a link. `kaboom play` serves it; the other commands are for its host.",
    create_app=create_app,
    add_default_commands=False,
    add_version_option=False,
)
kaboom.add_command(play)
kaboom.add_command(arena)

if __name__ == "__main__":
    kaboom()
