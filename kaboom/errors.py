"""Why the table service did not do something; str() of a refusal is the sentence for the player."""

from collections.abc import Mapping

from kaboom.engine.moves import Refusal


class NoTable(LookupError):
    """No table has that code."""

    status = 404
    slug = "no-table"


class Damaged(NoTable):
    """The stored table cannot be read, and nothing of it can be rebuilt."""


class NotYours(Refusal):
    """Only somebody else may do that: the host, or a player at the table."""

    status = 403
    slug = "not-yours"


class TooOften(Refusal):
    """More was asked for in a short time than anyone needs; it may be asked for again later."""

    status = 429
    slug = "too-fast"


class NotNow(Refusal):
    """The table is in no state for that (full, already playing, too few players)."""

    slug = "not-now"


class BadFields(NotNow):
    """What was sent holds what there is not, or what cannot be; `fields` says why, by name."""

    slug = "bad-options"

    def __init__(self, sentence: str, fields: Mapping[str, str]) -> None:
        super().__init__(sentence)
        self.fields = fields


class NoKey(Refusal):
    """A key was shown that is none, or no longer one."""

    status = 401
    slug = "no-key"


class KeyReused(Refusal):
    """An Idempotency-Key stands for another request already."""

    slug = "key-reused"


def bad_field(name: str, sentence: str) -> BadFields:
    """Return the refusal of one field."""
    return BadFields(sentence, {name: sentence})
