"""Why the table service did not do something; str() of a refusal is the sentence for the player."""

from kaboom.core.moves import Refusal


class NoTable(LookupError):
    """No table has that code."""


class NotYours(Refusal):
    """Only somebody else may do that: the host, or a player of the table."""


class NotNow(Refusal):
    """The table is not in the state for that (full, already playing, too few players)."""
