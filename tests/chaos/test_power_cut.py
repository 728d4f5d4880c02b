"""After a power cut at any instant, acknowledged moves are on disk, and play continues."""

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from kaboom.db.database import Database
from kaboom.games import GAMES
from kaboom.records.verify import check
from kaboom.tables import queries
from kaboom.tables.queries import MoveRow
from kaboom.tables.service import TableService
from tests.chaos.power_cut import WHOLE, Disk, Record, everything, journal, nothing
from tests.chaos.until_the_cut import STORE, TOLD, Told, played_on
from tests.conftest import MEMORY, missing
from tests.support.effort import often
from tests.support.server import ROOT, SECRET

CUTS = int(os.environ.get("KABOOM_CUTS", "20"))
SEED = int(os.environ.get("KABOOM_SEED") or random.randrange(10**6))
MOVES = often(300, soak=600)  # of all games together
FEW_MOVES = 60  # so few that SQLite makes no checkpoint, which would sync

Logs = dict[int, Sequence[MoveRow]]  # by match


@pytest.fixture(scope="module")
def recorder(tmp_path_factory):
    """The library that records file operations."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None or sys.platform != "linux":
        missing("Linux and a C compiler")
    library = tmp_path_factory.mktemp("recorder") / "power_cut.so"
    source = Path(__file__).with_name("power_cut.c")
    command = [compiler, "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror"]
    subprocess.run([*command, "-o", str(library), str(source)], check=True)
    return library


@dataclass
class Evening:
    """A session until the power cut: its initial files and the operations."""

    began: dict[str, bytes]
    records: list[Record]

    def disks(self, instants: Sequence[int]) -> Iterator[Disk]:
        """Yield the disk after this many operations; the instants must not decrease."""
        disk, done = Disk(self.began), 0
        for instant in instants:
            for record in self.records[done:instant]:
                disk.take(record)
            done = instant
            yield disk

    def instants(self, many: int, rng: random.Random) -> list[int]:
        """Return random instants, in order: before or after any kind of operation on any file.

        Each kind is drawn equally often, otherwise few cuts would hit a checkpoint.
        """
        kinds: dict[tuple[int, str], list[int]] = {}
        for number, record in enumerate(self.records):
            kinds.setdefault((record.file, record.kind), []).append(number)
        choices = list(kinds.values())
        picked = (rng.choice(rng.choice(choices)) for _ in range(many))
        return sorted(number + rng.randrange(2) for number in picked)

    def in_the_end(self) -> Disk:
        """Return the disk at the end of play."""
        return next(self.disks([len(self.records)]))


@pytest.fixture
def evening(recorder, migrated_sqlite, tmp_path):
    """A function that plays this many moves, possibly on a store that syncs less."""

    def played(moves: int, planted: str = "") -> Evening:
        folder = tmp_path / "played"
        folder.mkdir()
        shutil.copy(migrated_sqlite, folder / STORE)
        settings = {
            "LD_PRELOAD": str(recorder),
            "POWER_CUT_FOLDER": str(folder),
            "POWER_CUT_JOURNAL": str(tmp_path / "journal"),
            "PLANTED_SYNCHRONOUS": planted,
        }
        command = ["-m", "tests.chaos.until_the_cut", str(folder), str(moves), str(SEED)]
        subprocess.run([sys.executable, *command], cwd=ROOT, env=os.environ | settings, check=True)
        began = {STORE: migrated_sqlite.read_bytes()}
        done = Evening(began, list(journal(tmp_path / "journal")))
        files = done.in_the_end().left(everything)
        del files[f"{STORE}-shm"]  # mapped memory
        assert files == {name: (folder / name).read_bytes() for name in files}, "not all recorded"
        return done

    return played


def a_part(rng: random.Random) -> Callable[[], bool]:
    """Let a random part arrive, large or small."""
    part = rng.choice((0.1, 0.5, 0.9))
    return lambda: rng.random() < part


def told(disk: Disk) -> list[Told]:
    """Return everything that had been acknowledged to players, whatever is on the disk."""
    file = disk.seen.get(TOLD)
    lines = bytes(file.left(everything)).splitlines() if file else []
    return [Told(*json.loads(line)) for line in lines]


def logs(database: Database, known: Sequence[Told]) -> Logs:
    """Return the logs of all acknowledged matches."""
    matches = {one.match_id for one in known}
    return database.read(lambda c: {match: queries.log(c, match) for match in matches})


def wrong(
    database: Database, known: Sequence[Told], whole: Logs, rng: random.Random
) -> Iterator[str]:
    """Yield a sentence for each broken promise after the power returns.

    `known` was acknowledged before the cut; `whole` is the complete log without one.
    """
    found = database.read(lambda c: c.exec_driver_sql("PRAGMA integrity_check").scalar())
    if found != "ok":
        yield f"SQLite says: {found}"
    left = logs(database, known)
    for match, log in left.items():
        if log != whole[match][: len(log)]:
            yield f"the log of match {match} is not the beginning of what was played"
    there = {(match, row.seq, row.cmd) for match, log in left.items() for row in log}
    moves = {(one.match_id, one.seq, one.cmd) for one in known if one.seq}
    yield from (f"{lost} was acknowledged and is lost" for lost in sorted(moves - there))
    if len(there - moves) > 1:
        yield "more is there than the one move that was on its way"
    tables = TableService(database)
    for code in dict.fromkeys(one.code for one in known):
        yield from stuck(tables, code, rng)


def stuck(tables: TableService, code: str, rng: random.Random) -> Iterator[str]:
    """Yield the reasons why play at a table does not continue normally."""
    yield from check(tables, code).wrong
    before = tables.get(code)
    if before.mended:
        yield f"the snapshot of table {code} had to be mended"
    expected = before.table.seq + 1 if before.table.playing else 0
    if played_on(tables, code, rng).seq != expected:
        yield f"table {code} does not go on where it was"


def judged(evening: Evening, instants: Sequence[int]) -> dict[str, list[str]]:
    """Cut the power at some instants and check twice each time, with none and with some of the
    unsynced data; return the faults by cut.
    """
    rng = random.Random(SEED)
    faults: dict[str, list[str]] = {}
    memory = str(MEMORY) if MEMORY.is_dir() else None  # the power is not cut any more
    with tempfile.TemporaryDirectory(prefix="kaboom-", dir=memory) as place:
        url = f"sqlite:///{place}/{STORE}"
        with closing(Database(url, SECRET)) as database:
            end = evening.in_the_end()
            put(end.left(everything), Path(place))
            whole = logs(database, told(end))
            for instant, disk in zip(instants, evening.disks(instants), strict=True):
                for what, arrives in (("nothing", nothing), ("some", a_part(rng))):
                    database.close()
                    put(disk.left(arrives, rng.choice((512, 4096, WHOLE))), Path(place))
                    found = []
                    try:
                        for fault in wrong(database, told(disk), whole, rng):
                            found.append(fault)
                    except Exception as error:  # any effect of a damaged store
                        found.append(repr(error))
                    if found:
                        faults[f"{what} after {instant}"] = found
    return faults


def put(files: dict[str, bytearray], place: Path) -> None:
    """Replace a folder's files by these."""
    for old in place.iterdir():
        old.unlink()
    for name, data in files.items():
        (place / name).write_bytes(data)


def test_power_cut_keeps_acknowledged_moves_and_tables(evening):
    print(f"KABOOM_SEED={SEED}")
    played = evening(MOVES)
    known = told(played.in_the_end())
    assert len(known) == MOVES
    assert len({one.code for one in known}) == len(GAMES)
    instants = played.instants(CUTS, random.Random(SEED))
    assert judged(played, instants) == {}, f"KABOOM_SEED={SEED}"
    print(f"{CUTS} power cuts among {len(played.records)} writes and syncs: no move is lost")


@pytest.mark.parametrize("planted", often(["NORMAL"], soak=["NORMAL", "OFF"]))
def test_store_with_fewer_syncs_is_caught_losing_moves(evening, planted):
    played = evening(FEW_MOVES, planted)
    last = len(played.records)
    instants = [last * n // 10 for n in range(5, 11)]
    faults = judged(played, instants)
    for instant in instants:
        assert any("is lost" in fault for fault in faults[f"nothing after {instant}"]), faults


# Contents of a disk

OPENED = Record("o", 7, os.O_RDWR | os.O_CREAT, b"log")
FOLDER, FOLDER_SYNCED = Record("o", 2, 0, b"."), Record("s", 2, 0, b"")
SYNCED = Record("s", 7, 0, b"")


def written(at, data):
    return Record("w", 7, at, data)


def disk_after(*records, **files):
    disk = Disk(files)
    for record in records:
        disk.take(record)
    return disk


def by_turns():
    """Let every other operation arrive, beginning with the first."""
    answers = iter([True, False] * 9)
    return lambda: next(answers)


def test_only_synced_data_is_durable():
    disk = disk_after(OPENED, written(0, b"one"), SYNCED, written(3, b"two"), log=b"")
    assert disk.left(nothing) == {"log": b"one"}
    assert disk.left(everything) == {"log": b"onetwo"}


def test_writes_may_reach_the_disk_out_of_order():
    writes = [written(0, b"ab"), written(2, b"cd"), written(4, b"ef")]
    assert disk_after(OPENED, *writes, log=b"").left(by_turns()) == {"log": b"ab\0\0ef"}


def test_write_is_torn_at_multiples_of_the_piece_size():
    disk = disk_after(OPENED, written(3, b"abcdefgh"), log=b"...")
    assert disk.left(by_turns(), 4) == {"log": b"...a\0\0\0\0fgh"}


def test_unsynced_file_length_may_be_lost_like_a_write():
    disk = disk_after(OPENED, Record("t", 7, 1, b""), written(1, b"x"), log=b"abc")
    assert disk.left(nothing) == {"log": b"abc"}
    assert disk.left(by_turns()) == {"log": b"a"}
    assert disk.left(everything) == {"log": b"ax"}


def test_file_name_is_durable_once_its_folder_is_synced():
    new = [OPENED, written(0, b"one"), SYNCED]
    assert disk_after(*new).left(nothing) == {}
    assert disk_after(*new, FOLDER, FOLDER_SYNCED).left(nothing) == {"log": b"one"}


def test_deleted_file_may_reappear():
    gone = disk_after(FOLDER, Record("u", 0, 0, b"log"), log=b"old")
    assert gone.left(nothing) == {"log": b"old"}
    assert gone.left(everything) == {}
    gone.take(FOLDER_SYNCED)
    assert gone.left(nothing) == {}
