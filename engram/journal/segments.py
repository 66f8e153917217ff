"""The files of a journal: `journal.jsonl`, which grows, and the full ones before it, `journal.1.jsonl` and on.

Lines go from one file to the next as if they were one.  `journal.pruned` has the digests of entries that were
pruned, which are older than all others.
"""

from __future__ import annotations

import os

from engram.errors import JournalUnwritable
from engram.journal.entry import JournalEntry, parse_line
from engram.journal.lock import JournalLock
from engram.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Self

    from engram.journal.folder import StateFolder

CURRENT = "journal.jsonl"
PRUNED = "journal.pruned"
_START, _END = "journal.", ".jsonl"
_SNAPSHOT_WAIT_S = 1.0


def segment_name(number: int) -> str:
    """The file name of a full segment; the first is number 1."""
    return f"{_START}{number}{_END}"


def segment_numbers(names: list[str]) -> list[int]:
    """The numbers of the full segments among file names, ascending."""
    inner = [name[len(_START) : -len(_END)] for name in names if name.startswith(_START) and name.endswith(_END)]
    return sorted(int(text) for text in inner if text.isascii() and text.isdigit())


def segment_names(names: list[str]) -> list[str]:
    """The journal's files among file names, in the order of their lines."""
    full = [segment_name(number) for number in segment_numbers(names)]
    return [*full, CURRENT] if CURRENT in names else full


class Segment(Value):
    """An open journal file and the size up to which it counts."""

    name: str
    fd: int
    size: int

    def read(self) -> bytes:
        """All bytes that count."""
        parts = []
        at = 0
        while at < self.size and (part := os.pread(self.fd, self.size - at, at)):
            parts.append(part)
            at += len(part)
        return b"".join(parts)

    def lines(self) -> list[bytes]:
        """The lines without their newlines; a last one that was torn off is among them."""
        lines = self.read().split(b"\n")
        return lines if lines[-1] else lines[:-1]


class Snapshot:
    """The files of a journal as they were at one moment, oldest first; closes them at the end of a `with`.

    Writers are kept out for that moment, except where the lock file cannot be written: then the names are read
    again until they stay the same, so that a file renamed meanwhile is neither missed nor read twice.
    """

    def __init__(self, folder: StateFolder, *, locked: bool = False) -> None:
        self.folder = folder
        self._locked = locked  # the caller holds the lock
        self.segments: list[Segment] = []
        self.pruned: Segment | None = None

    def __enter__(self) -> Self:
        if self._locked:
            self._open_all()
            return self
        try:
            with JournalLock(self.folder, _SNAPSHOT_WAIT_S):
                self._open_all()
        except JournalUnwritable:
            self._open_all()
        return self

    def __exit__(self, *_exception: object) -> None:
        for segment in [*self.segments, *([self.pruned] if self.pruned else [])]:
            os.close(segment.fd)
        self.segments, self.pruned = [], None

    def entries(self, *, newest_first: bool) -> Iterator[JournalEntry]:
        """The entries in their order, or in reverse; lines that are none are left out (`verify` tells them)."""
        for segment in reversed(self.segments) if newest_first else self.segments:
            lines = segment.lines()
            for line in reversed(lines) if newest_first else lines:
                entry = parse_line(line)
                if entry is not None:
                    yield entry

    def _open_all(self) -> None:
        names: list[str] = []
        while names != (now := self.folder.names()):
            self.__exit__()
            names = now
            try:
                self.segments = [self._open(name) for name in segment_names(names)]
                self.pruned = self._open(PRUNED) if PRUNED in names else None
            except FileNotFoundError:  # renamed since: the names are read again
                self.__exit__()

    def _open(self, name: str) -> Segment:
        fd = self.folder.open_file(name, os.O_RDONLY)
        return Segment(name, fd, os.fstat(fd).st_size)
