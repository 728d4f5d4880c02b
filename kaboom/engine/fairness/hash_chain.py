"""The hash chain of a record; docs/chance.md and docs/record.md describe it."""

import hmac
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

OPEN_END = ("moves", "digest")  # the chain covers the moves


def canonical(value: Any) -> str:
    """Return the canonical form of a value: ASCII JSON with sorted keys and without spaces."""
    return json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":"))


def linked(key: bytes, chain: str, number: int, cmd: str, text: str, at: float) -> str:
    """Return the hash of a log that ends in this row: HMAC-SHA-256 over the chain and the row.

    It uses the match's key, so that secret moves cannot be guessed from a stolen database.
    """
    row = canonical([chain, number, cmd, text, at])
    return hmac.digest(key, row.encode(), "sha256").hex()


def links(key: bytes, chain: str, log: Iterable[Any]) -> Iterator[str]:
    """Yield the chain after each row of a log (its `cmd`, `text` and `at`), from the start.

    A log's chain starts at the seed's commitment, and its rows are numbered from 1.
    """
    for number, row in enumerate(log, start=1):
        chain = linked(key, chain, number, row.cmd, row.text, row.at)
        yield chain


def digest_of(key: bytes, record: Mapping[str, Any]) -> str:
    """Return the hash of a whole record: all fields but the moves, which the chain covers."""
    fields = {name: value for name, value in record.items() if name not in OPEN_END}
    message = "kaboom/v1|record|" + canonical(fields)
    return hmac.digest(key, message.encode(), "sha256").hex()
