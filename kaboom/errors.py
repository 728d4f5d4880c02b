"""Errors of the table service; str() of a refusal is the sentence for the player."""

from collections.abc import Mapping

from kaboom.engine.moves import Refusal


class TableNotFound(LookupError):
    """No table has that code."""

    status = 404
    slug = "no-table"


class CorruptedTable(TableNotFound):
    """The stored table can neither be read nor rebuilt."""


class AccessRequired(Exception):
    """Nothing may be shown before the viewer has been admitted."""


class NotPermitted(Refusal):
    """Only certain players may do that, such as the host or those at the table."""

    status = 403
    slug = "not-yours"


class RateLimited(Refusal):
    """Too many requests in a short time; the client may retry later."""

    status = 429
    slug = "too-fast"


class InvalidState(Refusal):
    """The table's state does not allow this (full, already playing, too few players)."""

    slug = "not-now"


class InvalidFields(InvalidState):
    """Submitted fields are unknown or impossible; `fields` has the reasons by field name."""

    slug = "bad-options"

    def __init__(self, sentence: str, fields: Mapping[str, str]) -> None:
        super().__init__(sentence)
        self.fields = fields


class InvalidToken(Refusal):
    """The key that was sent is not, or is no longer, valid."""

    status = 401
    slug = "no-key"


class IdempotencyKeyReused(Refusal):
    """The Idempotency-Key already belongs to another request."""

    slug = "key-reused"


def invalid_field(name: str, sentence: str) -> InvalidFields:
    """Return the refusal of one field."""
    return InvalidFields(sentence, {name: sentence})
