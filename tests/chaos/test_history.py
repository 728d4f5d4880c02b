"""The history checker itself: a valid history passes, and every kind of fault is reported."""

import hashlib
from dataclasses import replace

import pytest

from kaboom.engine.fairness.hash_chain import linked
from kaboom.tables.queries import MoveRow
from tests.chaos.history import Read, Write, faults

SEED, KEY = b"s" * 32, b"k" * 32


def log_of(*cmds):
    rows, chain = [], hashlib.sha256(SEED).hexdigest()
    for seq, cmd in enumerate(cmds, start=1):
        chain = linked(KEY, chain, seq, cmd, f"0 bid {seq}", float(seq))
        rows.append(MoveRow(seq, cmd, f"0 bid {seq}", float(seq), chain))
    return rows


LOG = log_of("a", "b", "c")
WRITES = [Write("a", 1, 2), Write("b", 1.5, 3), Write("c", 4), Write("never came", 5)]
READS = [Read("Ann", 1, 2, 1), Read("Ann", 1.5, 4, 0), Read("Ann", 3, 4, 2, LOG[1].chain)]


def test_valid_history_passes():
    assert list(faults(LOG, SEED, KEY, WRITES, READS)) == []


@pytest.mark.parametrize(
    ("log", "more_writes", "more_reads", "said"),
    [
        (LOG[:1] + LOG[2:], [], [], "not dense"),
        ([LOG[0], LOG[1]._replace(text="0 bid 9"), LOG[2]], [], [], "chain breaks"),
        (log_of("a", "b", "c", "a"), [], [], "2 times"),
        (LOG, [Write("d", 5, 6)], [], "acknowledged and is not"),
        (LOG, [Write("c", 5, 6, refused=True)], [], "refused and is in"),
        (log_of("b", "c", "a"), [Write("c", 2.5, 3)], [], "wrong order"),
        (LOG, [], [Read("Ann", 5, 6, 0)], "Ann saw 1, then 0"),
        (LOG, [], [Read("Ben", 5, 6, 1, LOG[0].chain)], "somebody saw 2, then 1"),
        (LOG, [Write("c", 4, 5)], [Read("Cid", 6, 7, 2, LOG[1].chain)], "saw 3, then 2"),
        (LOG, [], [Read("Ben", 5, 6, 2, LOG[0].chain)], "not the log’s"),
        (LOG, [], [Read("Ben", 5, 6, 7, LOG[2].chain)], "not the log’s"),
    ],
)
def test_impossible_history_is_reported(log, more_writes, more_reads, said):
    writes = [w for w in WRITES if w.cmd not in {m.cmd for m in more_writes}]
    found = list(faults(log, SEED, KEY, [*writes, *more_writes], [*READS, *more_reads]))
    assert any(said in sentence for sentence in found), found


def test_each_viewer_has_their_own_revision():
    reads = [Read("Ann", 1, 2, 9), Read("Ben", 3, 4, 1)]
    assert list(faults(LOG, SEED, KEY, [], reads)) == []


def test_missing_response_implies_no_order():
    writes = [replace(Write("c", 0, 1), ended=float("inf")), Write("a", 2, 3)]
    assert list(faults(LOG, SEED, KEY, writes)) == []
