"""What other rooms do when an account is erased, or a guest becomes another player.

They register it as they do what happens at a table (kaboom.tables.hooks). What each column that
names a player holds is seen to already, as kaboom.db.player_columns says.
"""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from sqlalchemy import Connection

from kaboom.config import FEATURES

# A player is erased; their id.
on_erase: list[Callable[[Connection, int], None]] = []
# A guest is about to become another player; the services, the guest, the other. Each works in
# transactions of its own, may be called again, and returns False if the guest has to wait.
before_merge: list[Callable[[Any, int, int], bool]] = []
# A guest becomes another player, in one transaction; the guest, the other.
on_merge: list[Callable[[Connection, int, int], None]] = []


@cache
def load() -> None:
    """Import the modules that register something here, once."""
    import_module("kaboom.tables.merging")
    for room in FEATURES:
        if find_spec(f"kaboom.{room}.hooks"):
            import_module(f"kaboom.{room}.hooks")
