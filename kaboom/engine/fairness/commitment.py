"""The commitment to a shuffle, which is the hash of a match's secret seed and is shown before the
deal; and the key for all draws, made from the seed and the players' cuts. Seeds are chosen in
kaboom.tables.transaction, and players cut in kaboom.tables.start_match.

docs/chance.md specifies this for programs in other languages; kaboom.records.verify checks it.
"""

import hashlib
import hmac
import json
import secrets
from collections.abc import Sequence

from kaboom.engine.rng import SEED_BYTES, Rng


def new_seed() -> bytes:
    """Return a new secret seed of 32 random bytes from the operating system."""
    return secrets.token_bytes(SEED_BYTES)


def commitment(seed: bytes) -> str:
    """Return the commitment shown before the deal: the SHA-256 of the seed, 64 hexadecimal
    digits.
    """
    return hashlib.sha256(seed).hexdigest()


def new_cut() -> str:
    """Return a random cut for a player who has not chosen one."""
    return secrets.token_hex(4)


def match_key(seed: bytes, cuts: Sequence[str]) -> bytes:
    """Return the key for all random draws of a match, from the seed and the players' cuts.

    `cuts` are indexed by seat, in NFC, and empty for a seat that gave none. Without cuts, the key
    is the seed.
    """
    if not any(cuts):
        return seed
    message = "kaboom/v1|cuts|" + json.dumps(list(cuts), ensure_ascii=True, separators=(",", ":"))
    return hmac.digest(seed, message.encode(), "sha256")


def board_seed(secret: bytes, label: str, cut: str) -> bytes:
    """Return the seed of a board, which is one deal for several tables.

    It is derived from a secret whose commitment was published first, a cut drawn after that, and
    the board's label. The players at the tables then do not cut.
    """
    named = json.dumps([label, cut], ensure_ascii=True, separators=(",", ":"))
    return hmac.digest(secret, f"kaboom/v1|board|{named}".encode(), "sha256")


def places_drawn(seed: bytes, cuts: Sequence[str], seating: str) -> list[int]:
    """Return, for each seat, the place from which its player comes; empty if nothing is drawn.

    `seating` is "lot" (all seats are drawn) or "first" (the seats are rotated so that a player
    drawn by lot has seat 0); anything else draws nothing. The cuts are sorted first, because the
    draw changes their order.
    """
    places = list(range(len(cuts)))
    rng = Rng(match_key(seed, sorted(cuts)), 0, "seats")
    if seating == "lot":
        return rng.shuffled(places)
    if seating == "first":
        first = rng.randrange(len(places))
        return places[first:] + places[:first]
    return []
