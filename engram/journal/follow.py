"""Entries as they are written, for `journal tail -f`."""

from __future__ import annotations

import os

from engram.journal.entry import JournalEntry, parse_line
from engram.journal.folder import open_state
from engram.journal.segments import CURRENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram.journal.log import Journal


class Follower:
    """Remembers how far a journal was read; only what is new is read again."""

    def __init__(self, journal: Journal, seq: int) -> None:
        self._journal = journal
        self._seq = seq
        self._file: tuple[int, int] = (0, 0)  # inode and position of the next byte

    def new_entries(self) -> list[JournalEntry]:
        """The entries after the last one told, in their order; empty if none was written since."""
        folder = open_state(self._journal.root)
        if folder is None:
            return []
        with folder:
            try:
                fd = folder.open_file(CURRENT, os.O_RDONLY)
            except FileNotFoundError:  # right between the two steps of a rotation
                return []
            try:
                found = os.fstat(fd)
                inode, at = self._file
                if (inode, at) == (found.st_ino, found.st_size):
                    return []
                data = os.pread(fd, found.st_size - at, at) if inode == found.st_ino and found.st_size > at else None
            finally:
                os.close(fd)
        if data is None:  # another file, or a shorter one: some lines may be in the segment before it
            entries = self._from_all()
            self._file = (found.st_ino, 0)
        else:
            whole = data.rpartition(b"\n")[0]
            entries = [entry for line in whole.split(b"\n") if (entry := parse_line(line)) and entry.seq > self._seq]
            self._file = (inode, at + len(whole) + (1 if whole else 0))
        if entries:
            self._seq = entries[-1].seq
        return entries

    def _from_all(self) -> list[JournalEntry]:
        entries: list[JournalEntry] = []
        for entry in self._journal.entries(newest_first=True):
            if entry.seq <= self._seq:
                break
            entries.append(entry)
        return entries[::-1]
