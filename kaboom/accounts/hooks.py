"""Hooks that let other rooms take part in erasing and merging accounts.

Rooms append their functions, as they do for tables (kaboom.tables.hooks). Columns that refer to a
player need no hook, because kaboom.db.player_columns declares what happens to them.
"""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection

# Before any account is erased: (services, hash of a session key). Raises InvalidState if it may not
# be erased now. Called for all accounts before the first one is erased.
before_any_erase: list[Callable[[Any, str], None]] = []
# Before an account is erased: (services, hash of the session key). Uses its own transactions.
before_erase: list[Callable[[Any, str], None]] = []
# When a player is erased, in the same transaction: (connection, player's id).
on_erase: list[Callable[[Connection, int], None]] = []
# When a player's finished matches are forgotten, in that transaction: (connection, player's id).
on_forget_matches: list[Callable[[Connection, int], None]] = []
# Before a guest is merged into another player: (services, guest's id, the other's id). Uses its own
# transactions, may be called repeatedly, and returns False if the merge has to wait.
before_merge: list[Callable[[Any, int, int], bool]] = []
# Returns True if a guest cannot be merged yet: (connection, guest's id). Called in the merge's
# transaction.
delays_merge: list[Callable[[Connection, int], bool]] = []
# When a guest is merged into another player, in that transaction: (connection, guest's id, the
# other's id).
on_merge: list[Callable[[Connection, int, int], None]] = []

# When a session key no longer refers to its player: (services, id of the player it referred to).
after_key_change: list[Callable[[Any, int], None]] = []
