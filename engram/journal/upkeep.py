"""Pruning that nobody asked for: once a day at most, of whole segments, and such that no append waits for it.

What takes long is done without the journal's lock: to verify all there is, and to force digests and entry to the disk.
The lock is held for two moments, to write the entry about the pruning and to remove the files.  Full segments do not
change, and of two prunings at once the second is refused.
"""

from __future__ import annotations

import os
import time

from engram.errors import JournalUnwritable
from engram.journal.content import format_time
from engram.journal.folder import open_state
from engram.journal.lock import PRUNING, JournalLock
from engram.journal.log import WAIT_S
from engram.journal.prune import (
    KEEP_BYTES,
    KEEP_DAYS,
    Pruned,
    find_cuts,
    keep_digests,
    pruned_by,
    require_whole,
    write_note,
)
from engram.journal.segments import CURRENT, Snapshot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram.journal.folder import StateFolder
    from engram.journal.log import Journal
    from engram.journal.prune import Cut

PAUSE_S = 86_400.0  # what is too old, or too much, grows by a segment in days
_LOOKED = "journal.looked"  # its time is when that was done last


def prune_if_due(journal: Journal, *, before: str = "", keep_bytes: int = KEEP_BYTES, session: str = "") -> Pruned:
    """Remove the full segments of which all entries are older than `before` (by default KEEP_DAYS ago), then the oldest
    as long as more than `keep_bytes` are left without them; returns what went, nothing where that was looked at within
    PAUSE_S.

    Raises BrokenChain for a journal that does not verify, JournalUnwritable where another process is pruning, and both
    JournalUnwritable and UnsafeState as an append does.
    """
    nothing = Pruned(0, 0, 0)
    folder = open_state(journal.root)
    if folder is None:
        return nothing
    with folder:
        try:
            if not _is_due(folder):
                return nothing
            with JournalLock(folder, 0.0, PRUNING), Snapshot(folder) as snapshot:
                found = find_cuts(snapshot.segments, before or _oldest(), keep_bytes)
                cuts = [cut for cut in found if cut.size == cut.segment.size and cut.segment.name != CURRENT]
                if not cuts:
                    return nothing
                require_whole(snapshot)
                _remove(folder, cuts, keep_digests(folder, snapshot, cuts), session)
                return pruned_by(cuts)
        except OSError as error:
            raise JournalUnwritable(f"{folder.path}: {error.strerror}") from error


def _remove(folder: StateFolder, cuts: list[Cut], digests: bytes, session: str) -> None:
    """Write the entry; once it is on the disk, remove the files: a death in between leaves a journal that verifies."""
    with JournalLock(folder, WAIT_S):
        write_note(folder, cuts, digests, session)
        current = folder.open_file(CURRENT, os.O_RDONLY)
    try:
        os.fsync(current)
    finally:
        os.close(current)
    with JournalLock(folder, WAIT_S):
        for cut in cuts:
            os.unlink(cut.segment.name, dir_fd=folder.fd)
    os.fsync(folder.fd)


def _oldest() -> str:
    return format_time(int((time.time() - KEEP_DAYS * 86_400) * 1000))


def _is_due(folder: StateFolder) -> bool:
    """Whether it was last looked at more than PAUSE_S ago, or at a time to come; from now on it is not."""
    descriptor = folder.open_file(_LOOKED, os.O_WRONLY | os.O_CREAT)
    try:
        found = os.fstat(descriptor)
        if found.st_size and 0 <= time.time() - found.st_mtime < PAUSE_S:
            return False
        os.ftruncate(descriptor, 0)
        os.write(descriptor, b"\n")
        return True
    finally:
        os.close(descriptor)
