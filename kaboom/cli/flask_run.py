"""`flask run`: Flask's own server, for developers of Kaboom. Its reloader runs two processes."""

import os
from collections.abc import Mapping

import click
from flask.helpers import get_debug_flag
from werkzeug.serving import is_running_from_reloader


def serves_here() -> bool:
    """Return True if `flask run` serves in this process.

    With the reloader (`--debug`), the first process only starts and restarts the one that serves;
    other commands serve nothing.
    """
    context = click.get_current_context(silent=True)
    if context is None or context.info_name != "run":
        return False
    reloads = context.params.get("reload")
    return is_running_from_reloader() or not (get_debug_flag() if reloads is None else reloads)


def settings_of_process(environ: Mapping[str, str] = os.environ) -> Mapping[str, str]:
    """Return the environment from which a process takes its settings.

    Flask sets a variable for all its commands, and Kaboom runs no clock if it is set. The process
    that serves needs the clock, so the variable is removed there.
    """
    if not serves_here():
        return environ
    return {name: text for name, text in environ.items() if name != "FLASK_RUN_FROM_CLI"}
