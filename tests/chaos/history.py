"""Checks a table's history: could all viewers have seen what they saw, given its log?

A log of unique commands that only grows can be checked exactly and in one pass. No search for an
order is needed, because the log itself is the order.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import inf

from kaboom.engine.fairness.hash_chain import linked
from kaboom.tables.queries import MoveRow


@dataclass(frozen=True)
class Write:
    """A command sent once or repeatedly; `ended` is inf while there is no answer."""

    cmd: str  # as in the log
    began: float
    ended: float = inf
    refused: bool = False  # the answer was that it was not done


@dataclass(frozen=True)
class Read:
    """A view: `number` is the revision shown, or with `chain` the log's length.

    Each viewer has their own revisions; the log is shared, so its length never decreases for any
    viewer.
    """

    viewer: str
    began: float
    ended: float
    number: int
    chain: str = ""


def faults(
    log: Sequence[MoveRow],
    seed: bytes,
    key: bytes,
    writes: Iterable[Write] = (),
    reads: Iterable[Read] = (),
) -> Iterator[str]:
    """Yield a sentence for each contradiction in a history."""
    if [row.seq for row in log] != list(range(1, len(log) + 1)):
        yield "the log is not dense"
    chain = hashlib.sha256(seed).hexdigest()
    chains = [chain]
    for row in log:
        chain = linked(key, chain, row.seq, row.cmd, row.text, row.at)
        chains.append(row.chain)
        if chain != row.chain:
            yield f"the chain breaks at move {row.seq}"
    found = Counter(row.cmd for row in log)
    yield from (f"“{cmd}” is in the log {count} times" for cmd, count in found.items() if count > 1)
    place = {row.cmd: row.seq for row in log}
    writes = list(writes)
    for write in writes:
        if write.ended < inf and not write.refused and write.cmd not in place:
            yield f"“{write.cmd}” was acknowledged and is not in the log"
        if write.refused and write.cmd in place:
            yield f"“{write.cmd}” was refused and is in the log"
    done = [(write.began, write.ended, place[write.cmd]) for write in writes if write.cmd in place]
    yield from (
        f"moves {late} and {early} are in the wrong order" for early, late in _swapped(done)
    )
    yield from _stale(reads, chains, done)


def _swapped(done: Sequence[tuple[float, float, int]]) -> Iterator[tuple[int, int]]:
    """Yield (a, b) where b began after a had ended, but precedes it in the log."""
    latest, waiting = 0, sorted(done, key=lambda one: one[1])
    for began, _, seq in sorted(done):
        while waiting and waiting[0][1] < began:
            latest = max(latest, waiting.pop(0)[2])
        if seq < latest:
            yield latest, seq


def _stale(
    reads: Iterable[Read], chains: Sequence[str], done: Sequence[tuple[float, float, int]]
) -> Iterator[str]:
    """Yield where a revision decreased, or a view shows a log that never existed.

    `done` lists the writes: a viewer who reads the log after one of them has ended sees it there.
    """
    seen: dict[str, list[tuple[float, float, int]]] = {}
    for read in reads:
        viewer = "somebody" if read.chain else read.viewer
        seen.setdefault(viewer, []).append((read.began, read.ended, read.number))
        if read.chain and chains[read.number : read.number + 1] != [read.chain]:
            yield f"{read.viewer} saw {read.number} moves that are not the log’s"
    if "somebody" in seen:
        seen["somebody"] += done
    for viewer, numbers in seen.items():
        yield from (f"{viewer} saw {late}, then {early}" for late, early in _swapped(numbers))
