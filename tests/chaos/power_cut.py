"""The contents of a disk after a power cut, from a journal of file operations (power_cut.c).

Only synced data is durable. Each write since a file's last sync, and each change of its length, may
have arrived whole, in part or not at all. A created or deleted name is durable once the folder is
synced. Most file systems guarantee more.
"""

import os
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

HEAD = struct.Struct("=QQQQ")
WHOLE = 1 << 62  # a piece larger than any write


class Record(NamedTuple):
    """One operation: see struct record in power_cut.c."""

    kind: str
    file: int
    number: int
    data: bytes


def journal(path: Path) -> Iterator[Record]:
    """Yield the operations in order."""
    data, at = path.read_bytes(), 0
    while at < len(data):
        kind, file, number, length = HEAD.unpack_from(data, at)
        at += HEAD.size + length
        yield Record(chr(kind), file, number, data[at - length : at])


def everything() -> bool:
    """Let all unsynced writes reach the disk."""
    return True


def nothing() -> bool:
    """Drop all unsynced writes."""
    return False


@dataclass
class File:
    """A file: its durable bytes, and its pending writes and lengths."""

    sure: bytearray = field(default_factory=bytearray)
    unsure: list[Record] = field(default_factory=list)

    def sync(self) -> None:
        """Sync everything to the disk."""
        for record in self.unsure:
            apply(self.sure, record, everything)
        self.unsure.clear()

    def left(self, arrives: Callable[[], bool], piece: int = WHOLE) -> bytearray:
        """Return the file's bytes if the pending pieces arrive for which `arrives()` is true.

        A write is torn at multiples of `piece` bytes.
        """
        data = bytearray(self.sure)
        for record in self.unsure:
            apply(data, record, arrives, piece)
        return data


def apply(data: bytearray, record: Record, arrives: Callable[[], bool], piece: int = WHOLE) -> None:
    """Apply the writes that reached the disk to a file's bytes."""
    if record.kind == "t":
        if arrives():
            del data[record.number :]
            data.extend(bytes(record.number - len(data)))
        return
    at, end = record.number, record.number + len(record.data)
    while at < end:
        until = min(end, (at // piece + 1) * piece)
        if arrives():
            data.extend(bytes(max(0, at - len(data))))  # unwritten gaps are zeros
            data[at:until] = record.data[at - record.number : until - record.number]
        at = until


class Disk:
    """A folder at one moment of a journal, on the disk and as programs see it.

    `files` are the initial files, by name.
    """

    def __init__(self, files: dict[str, bytes]) -> None:
        self.sure = {name: File(bytearray(data)) for name, data in files.items()}
        self.unsure: list[tuple[str, File | None]] = []  # created names, or deleted ones (None)
        self.seen = dict(self.sure)  # as programs see it
        self._by_inode: dict[int, File] = {}
        self._folder = 0  # its inode

    def take(self, record: Record) -> None:
        """Apply the next operation."""
        match record.kind:
            case "o":
                self._open(record)
            case "u":
                self._name(record.data.decode(), None)
            case "s" if record.file == self._folder:
                self.sure = dict(self.seen)
                self.unsure.clear()
            case "s":
                self._by_inode[record.file].sync()
            case _:
                self._by_inode[record.file].unsure.append(record)

    def _open(self, record: Record) -> None:
        name = record.data.decode()
        if name == ".":
            self._folder = record.file
            return
        if name not in self.seen:
            self._name(name, File())
        file = self._by_inode[record.file] = self.seen[name]
        if record.number & os.O_TRUNC:
            file.unsure.append(Record("t", record.file, 0, b""))

    def _name(self, name: str, file: File | None) -> None:
        self.unsure.append((name, file))
        self.seen = _named(self.seen, name, file)

    def left(self, arrives: Callable[[], bool], piece: int = WHOLE) -> dict[str, bytearray]:
        """Return the files after a power cut, by name; `arrives` and `piece` as for a file."""
        names = self.sure
        for name, file in self.unsure:
            if arrives():
                names = _named(names, name, file)
        return {name: file.left(arrives, piece) for name, file in names.items()}


def _named(names: dict[str, File], name: str, file: File | None) -> dict[str, File]:
    """Return the names after one was created or deleted."""
    others = {each: other for each, other in names.items() if each != name}
    return others if file is None else {**others, name: file}
