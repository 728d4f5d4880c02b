"""What is left on a disk after a power cut, by a journal of what was done to it (power_cut.c).

Only what was synced is sure. Each write since a file's last sync may have arrived or not, whole or
in pieces, and so may a change of its length; a name that came or went is sure once the folder was
synced. This is harsher than most file systems are.
"""

import os
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

HEAD = struct.Struct("=QQQQ")
WHOLE = 1 << 62  # a piece into which every write fits


class Record(NamedTuple):
    """One thing done: see struct record in power_cut.c."""

    kind: str
    file: int
    number: int
    data: bytes


def journal(path: Path) -> Iterator[Record]:
    """Yield what was done, in order."""
    data, at = path.read_bytes(), 0
    while at < len(data):
        kind, file, number, length = HEAD.unpack_from(data, at)
        at += HEAD.size + length
        yield Record(chr(kind), file, number, data[at - length : at])


def everything() -> bool:
    """Let everything that was not synced arrive."""
    return True


def nothing() -> bool:
    """Let nothing arrive that was not synced."""
    return False


@dataclass
class File:
    """A file: its bytes that are sure, and the writes and new lengths that are not."""

    sure: bytearray = field(default_factory=bytearray)
    unsure: list[Record] = field(default_factory=list)

    def sync(self) -> None:
        """Let everything be on the disk."""
        for record in self.unsure:
            apply(self.sure, record, everything)
        self.unsure.clear()

    def left(self, arrives: Callable[[], bool], piece: int = WHOLE) -> bytearray:
        """Return its bytes when, of the unsure pieces, those arrive of which `arrives()` says so.

        A write is torn where the file has a multiple of `piece` bytes.
        """
        data = bytearray(self.sure)
        for record in self.unsure:
            apply(data, record, arrives, piece)
        return data


def apply(data: bytearray, record: Record, arrives: Callable[[], bool], piece: int = WHOLE) -> None:
    """Do to a file's bytes what was written, as far as it arrives."""
    if record.kind == "t":
        if arrives():
            del data[record.number :]
            data.extend(bytes(record.number - len(data)))
        return
    at, end = record.number, record.number + len(record.data)
    while at < end:
        until = min(end, (at // piece + 1) * piece)
        if arrives():
            data.extend(bytes(max(0, at - len(data))))  # never written: zeros
            data[at:until] = record.data[at - record.number : until - record.number]
        at = until


class Disk:
    """A folder of files as it is at some moment of a journal, on the disk and for programs.

    `files` are those it starts with, by name.
    """

    def __init__(self, files: dict[str, bytes]) -> None:
        self.sure = {name: File(bytearray(data)) for name, data in files.items()}
        self.unsure: list[tuple[str, File | None]] = []  # names that came or (None) went
        self.seen = dict(self.sure)  # as programs see it
        self._by_inode: dict[int, File] = {}
        self._folder = 0  # its inode

    def take(self, record: Record) -> None:
        """Let the next thing happen."""
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
    """Return the names after one came or went."""
    others = {each: other for each, other in names.items() if each != name}
    return others if file is None else {**others, name: file}
