"""Why the table service did not do something; str() of a refusal is the sentence for the player."""

from typing import TYPE_CHECKING

from kaboom.core.moves import Refusal

if TYPE_CHECKING:
    from kaboom.tables.loaded import Loaded


class NoTable(LookupError):
    """No table has that code."""


class Damaged(NoTable):
    """What is stored of that table cannot be read, and nothing of it can be rebuilt."""


class Locked(Exception):
    """The table has a password, and the one who asks has not given it.

    `loaded` is the table: only its game and its host's name may be shown.
    """

    def __init__(self, loaded: "Loaded") -> None:
        super().__init__(loaded.code)
        self.loaded = loaded


class NotYours(Refusal):
    """Only somebody else may do that: the host, or a player of the table."""


class NotNow(Refusal):
    """The table is not in the state for that (full, already playing, too few players)."""
