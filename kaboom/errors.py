"""Why the table service did not do something; str() of a refusal is the sentence for the player."""

from collections.abc import Mapping

from kaboom.engine.moves import Refusal


class TableNotFound(LookupError):
    """No table has that code."""

    status = 404
    slug = "no-table"


class CorruptedTable(TableNotFound):
    """The stored table cannot be read, and nothing of it can be rebuilt."""


class AccessRequired(Exception):
    """Nothing may be shown before the person asking has been let in."""


class NotPermitted(Refusal):
    """Only somebody else may do that: the host, or a player at the table."""

    status = 403
    slug = "not-yours"


class RateLimited(Refusal):
    """More was asked for in a short time than anyone needs; it may be asked for again later."""

    status = 429
    slug = "too-fast"


class InvalidState(Refusal):
    """The table is in no state for that (full, already playing, too few players)."""

    slug = "not-now"


class InvalidFields(InvalidState):
    """What was sent holds what there is not, or what cannot be; `fields` says why, by name."""

    slug = "bad-options"

    def __init__(self, sentence: str, fields: Mapping[str, str]) -> None:
        super().__init__(sentence)
        self.fields = fields


class InvalidToken(Refusal):
    """A key was shown that is none, or no longer one."""

    status = 401
    slug = "no-key"


class IdempotencyKeyReused(Refusal):
    """An Idempotency-Key stands for another request already."""

    slug = "key-reused"


def invalid_field(name: str, sentence: str) -> InvalidFields:
    """Return the refusal of one field."""
    return InvalidFields(sentence, {name: sentence})
