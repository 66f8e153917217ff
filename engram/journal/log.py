"""The journal of one checkout: appending to it, and finding entries in it.

An append is one `write` of one whole line at the end of the file, by the holder of the lock.  It is then in the
kernel's hands and survives the death of any process; it is not forced to the disk, so that a power failure may cost
the last seconds.  What is handed out as evidence (`head`, a receipt) and a segment that is full are forced to it.
"""

from __future__ import annotations

import errno
import os

from engram.errors import InvalidArgument, JournalUnwritable, UnknownRequest
from engram.journal.content import utc_now, wire_of
from engram.journal.digest import sha256_hex
from engram.journal.entry import Draft, JournalEntry, from_wire, parse_line, to_line
from engram.journal.folder import StateFolder, make_state, open_state
from engram.journal.lock import JournalLock
from engram.journal.segments import CURRENT, Segment, Snapshot, segment_name, segment_numbers
from engram.journal.tail import Head, read_tail

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

# About 20,000 calls: read in 10 ms when an entry is looked for, and the step in which old entries are pruned.
SEGMENT_BYTES = 16 << 20
TORN = "journal.torn"
OWN = "journal"  # the primitive of entries that the journal writes about itself
# Waiting longer would keep the asker from an answer for the sake of its record.
WAIT_S = 5.0
_LEAST_PREFIX = 6


class Journal:
    """The journal under the root of a checkout; nothing is opened or made before the first use."""

    def __init__(self, root: str, *, wait_s: float = WAIT_S, segment_bytes: int = SEGMENT_BYTES) -> None:
        self.root = root
        self.wait_s = wait_s
        self.segment_bytes = segment_bytes

    @classmethod
    def open(cls, root: str) -> Journal:
        """The journal of the checkout at `root`."""
        return cls(root)

    @property
    def path(self) -> str:
        """Where the entries of today are written."""
        return os.path.join(self.root, ".engram", CURRENT)

    def append(self, draft: Draft) -> JournalEntry:
        """The entry as it was written, redacted and chained.

        Raises JournalUnwritable if it could not be (the answer itself is not affected), UnsafeState if the state
        folder is not to be used at all, TypeError or ValueError if the draft has no JSON form.
        """
        wire = wire_of(draft)
        with make_state(self.root) as folder, JournalLock(folder, self.wait_s):
            try:
                return Appender(folder, self.segment_bytes).append(wire)
            except OSError as error:
                raise JournalUnwritable(f"{self.path}: {error.strerror}") from error

    def entries(self, *, newest_first: bool = False) -> Iterator[JournalEntry]:
        """The entries that are kept, in the order of their `seq` or in reverse; empty where none is."""
        folder = open_state(self.root)
        if folder is None:
            return
        with folder, Snapshot(folder) as snapshot:
            yield from snapshot.entries(newest_first=newest_first)

    def find(self, entry_id: str) -> JournalEntry:
        """The entry with that id, or the one whose id alone starts so (6 characters or more).

        Raises UnknownRequest if there is none, InvalidArgument if several start so.
        """
        if len(entry_id) < _LEAST_PREFIX:
            raise InvalidArgument(f"{entry_id!r} is too short for an id", f"give {_LEAST_PREFIX} characters or more")
        found: dict[str, JournalEntry] = {}
        folder = open_state(self.root)
        if folder is not None:
            with folder, Snapshot(folder) as snapshot:
                for segment in reversed(snapshot.segments):
                    found.update((entry.id, entry) for entry in _with_id(segment, entry_id))
                    if entry_id in found:
                        break
        if not found:
            raise UnknownRequest(f"the journal has no entry {entry_id!r}", "`engram journal tail` lists the last ones")
        if len(found) > 1:
            raise InvalidArgument(f"{len(found)} entries start with {entry_id!r}", "give more of the id")
        return next(iter(found.values()))

    def head(self) -> Head | None:
        """The last entry's number and hash, forced to the disk before they are told; None where none is."""
        folder = open_state(self.root)
        if folder is None:
            return None
        with folder, Snapshot(folder) as snapshot:
            for segment in reversed(snapshot.segments):
                os.fsync(segment.fd)
                head = read_tail(segment.fd, segment.size, segment.name).head
                if head is not None:
                    return head
        return None


def _with_id(segment: Segment, entry_id: str) -> Iterator[JournalEntry]:
    data = segment.read()
    needle = f'"id":"{entry_id}'.encode("utf-8", "surrogatepass")
    at = data.find(needle)
    while at >= 0:
        end = data.find(b"\n", at)
        end = end if end >= 0 else len(data)
        entry = parse_line(data[data.rfind(b"\n", 0, at) + 1 : end])
        if entry is not None and entry.id.startswith(entry_id):
            yield entry
        at = data.find(needle, end)


class Appender:
    """Writes to the journal in an open state folder, whose lock the caller holds."""

    def __init__(self, folder: StateFolder, segment_bytes: int = SEGMENT_BYTES) -> None:
        self._folder = folder
        self._segment_bytes = segment_bytes

    def append(self, wire: dict[str, Any]) -> JournalEntry:
        """The written entry; `wire` comes from `wire_of`.  Raises OSError if the file cannot be written."""
        fd = self._open_current()
        try:
            size = os.fstat(fd).st_size
            tail = read_tail(fd, size, self._path(CURRENT))
            if tail.torn and parse_line(tail.torn):  # only its newline is missing
                os.write(fd, b"\n")
                tail = read_tail(fd, size + 1, self._path(CURRENT))
            head = tail.head or self._older_head()
            if tail.torn:
                self._keep_torn(fd, size, tail.torn)
                head = self._write(fd, head, self._torn_note(tail.torn, wire["session"]))[1]
            if os.fstat(fd).st_size >= self._segment_bytes:
                fd = self._rotate(fd)
            return self._write(fd, head, wire)[0]
        finally:
            os.close(fd)

    def _open_current(self) -> int:
        return self._folder.open_file(CURRENT, os.O_RDWR | os.O_CREAT | os.O_APPEND)

    def _path(self, name: str) -> str:
        return os.path.join(self._folder.path, name)

    def _older_head(self) -> Head:
        """The last entry of the full segments: right after a rotation the current one has none."""
        for number in reversed(segment_numbers(self._folder.names())):
            name = segment_name(number)
            fd = self._folder.open_file(name, os.O_RDONLY)
            try:
                head = read_tail(fd, os.fstat(fd).st_size, self._path(name)).head
            finally:
                os.close(fd)
            if head is not None:
                return head
        return Head()

    def _write(self, fd: int, head: Head, wire: dict[str, Any]) -> tuple[JournalEntry, Head]:
        whole = {**wire, "seq": head.seq + 1, "at": utc_now()}
        line, own = to_line(whole, head.hash)
        size = os.fstat(fd).st_size
        if os.write(fd, line) < len(line):  # the disk is full, or the file may not grow
            os.ftruncate(fd, size)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return from_wire({**whole, "prev": head.hash, "hash": own}), Head(head.seq + 1, own)

    def _rotate(self, fd: int) -> int:
        number = max(segment_numbers(self._folder.names()), default=0) + 1
        os.fsync(fd)
        os.rename(CURRENT, segment_name(number), src_dir_fd=self._folder.fd, dst_dir_fd=self._folder.fd)
        os.fsync(self._folder.fd)
        fresh = self._open_current()
        os.close(fd)
        return fresh

    def _keep_torn(self, fd: int, size: int, torn: bytes) -> None:
        """Move the bytes of a torn line out of the journal, whose every line stays JSON; kept before they are cut."""
        kept = self._folder.open_file(TORN, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        try:
            os.write(kept, torn + b"\n")
            os.fsync(kept)
        finally:
            os.close(kept)
        os.ftruncate(fd, size - len(torn))

    def _torn_note(self, torn: bytes, session: str) -> dict[str, Any]:
        return wire_of(
            Draft(
                primitive=OWN,
                args={"event": "torn-line", "bytes": len(torn), "sha256": sha256_hex(torn), "kept": TORN},
                ok=False,
                result={"line": torn.decode("ascii", "replace")},
                truncated=False,
                files={},
                duration_ms=0,
                session=session,
            )
        )
