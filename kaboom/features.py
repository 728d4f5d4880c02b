"""The rooms other than the web framework, in import order; add a new one here.

In each room, blueprint.py adds pages to an application (kaboom.app). hooks.py, if there is one,
reacts to what happens at tables and with accounts; the table room, whose own hooks others use, has
account_hooks.py for that.
"""

from functools import cache
from importlib import import_module
from importlib.util import find_spec

FEATURES = (
    "sharing", "accounts", "tables", "notifications", "social", "ratings", "correspondence",
    "table_page", "daily", "tournaments", "records", "challenges", "review", "coach", "learn",
    "puzzles", "matchmaking", "statistics", "lobby", "remote_bots", "admin",
)  # fmt: skip


@cache
def load_hooks() -> None:
    """Import the modules in which rooms register their hooks, once."""
    for room in FEATURES:
        for module in (f"kaboom.{room}.hooks", f"kaboom.{room}.account_hooks"):
            if find_spec(module):
                import_module(module)
