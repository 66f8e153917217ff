"""Removing old entries so that the rest can still be verified.

Of each entry that goes, `journal.pruned` keeps the number and the digest, from which the hashes follow; an entry in
the journal says up to where it pruned and what the SHA-256 of that file is.  The order of the steps (digests, entry,
removal) is such that a process that dies between two of them leaves a journal that verifies.
"""

from __future__ import annotations

import os

from engram.errors import BrokenChain, JournalUnwritable
from engram.journal.content import wire_of
from engram.journal.digest import sha256_hex
from engram.journal.entry import Draft, digest_of, split_line
from engram.journal.folder import StateFolder, make_state
from engram.journal.jsonlight import loads
from engram.journal.lock import PRUNING, JournalLock
from engram.journal.log import OWN, WAIT_S, Appender, Journal
from engram.journal.segments import CURRENT, PRUNED, Segment, Snapshot
from engram.journal.verify import verify
from engram.model import Value

KEEP_DAYS = 90
KEEP_BYTES = 200 << 20
_FRESH = "journal.prune"
NO_ROTATION = 1 << 62  # of an entry about a pruning: it belongs behind what stays


class Pruned(Value):
    """What went: how many entries, how many bytes of files, and the number of the last one (0 if none went)."""

    entries: int
    bytes: int
    last: int


class Cut(Value):
    """What goes of one file: its first `size` bytes, and the digest lines that stay for them."""

    segment: Segment
    size: int
    digests: tuple[bytes, ...]


def prune(journal: Journal, *, before: str, keep_bytes: int = KEEP_BYTES, session: str = "") -> Pruned:
    """Remove the entries older than `before` (UTC, as entries tell it), then the oldest until `keep_bytes` hold all.

    Raises BrokenChain if the journal does not verify: pruning would remove the evidence.  JournalUnwritable,
    UnsafeState as an append does.
    """
    with (
        make_state(journal.root) as folder,
        JournalLock(folder, WAIT_S, PRUNING),
        JournalLock(folder, WAIT_S),
        Snapshot(folder, locked=True) as snapshot,
    ):
        require_whole(snapshot)
        cuts = find_cuts(snapshot.segments, before, keep_bytes)
        if not cuts:
            return Pruned(0, 0, 0)
        try:
            return _remove(folder, snapshot, cuts, session)
        except OSError as error:
            raise JournalUnwritable(f"{folder.path}: {error.strerror}") from error


def require_whole(snapshot: Snapshot) -> None:
    """Raise BrokenChain unless the journal verifies."""
    report = verify(snapshot)
    if report.broken is not None:
        at = f"{report.broken.file}:{report.broken.line}"
        raise BrokenChain(f"{at} {report.broken.what}", "keep the files; `engram journal verify` tells more")


def find_cuts(segments: list[Segment], before: str, keep_bytes: int) -> list[Cut]:
    """What of the segments, oldest first, is older than `before`, or more than `keep_bytes` hold."""
    left = sum(segment.size for segment in segments)
    cuts = []
    for segment in segments:
        digests: list[bytes] = []
        gone = 0
        for line in segment.lines():
            wire = loads(line.decode("ascii")) if split_line(line) else {}
            if not wire or (wire["at"] >= before and left <= keep_bytes):
                break
            digests.append(f"{wire['seq']} {digest_of((split_line(line) or (b'',))[0])}\n".encode("ascii"))
            gone += len(line) + 1
            left -= len(line) + 1
        if gone:
            cuts.append(Cut(segment, gone, tuple(digests)))
        if gone < segment.size:
            break
    return cuts


def _remove(folder: StateFolder, snapshot: Snapshot, cuts: list[Cut], session: str) -> Pruned:
    write_note(folder, cuts, keep_digests(folder, snapshot, cuts), session)
    for cut in cuts:
        if cut.size == cut.segment.size and cut.segment.name != CURRENT:
            os.unlink(cut.segment.name, dir_fd=folder.fd)
        else:
            _drop_start(folder, cut)
    os.fsync(folder.fd)
    return pruned_by(cuts)


def pruned_by(cuts: list[Cut]) -> Pruned:
    """What goes by the cuts, of which there is at least one."""
    last = int(cuts[-1].digests[-1].split()[0])
    return Pruned(sum(len(cut.digests) for cut in cuts), sum(cut.size for cut in cuts), last)


def write_note(folder: StateFolder, cuts: list[Cut], digests: bytes, session: str) -> None:
    """Append the entry about a pruning, of which the file of digests has `digests`; the caller holds the lock."""
    gone = pruned_by(cuts)
    note = {"event": "prune", "to": gone.last, "entries": gone.entries, "bytes": gone.bytes}
    note["sha256"] = sha256_hex(digests)
    draft = Draft(OWN, note, True, {}, truncated=False, files={}, duration_ms=0, session=session)
    Appender(folder, NO_ROTATION).append(wire_of(draft))


def keep_digests(folder: StateFolder, snapshot: Snapshot, cuts: list[Cut]) -> bytes:
    """The whole of the file of digests, after those of the cuts that it did not have yet were added."""
    digests = [line for cut in cuts for line in cut.digests]
    old = snapshot.pruned.read() if snapshot.pruned is not None else b""
    known = old.count(b"\n")
    added = b"".join([line for line in digests if int(line.split()[0]) > known])
    fd = folder.open_file(PRUNED, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    try:
        _write_all(fd, added)
    except OSError:
        os.ftruncate(fd, len(old))
        raise
    finally:
        os.close(fd)
    return b"".join((old + added).splitlines(keepends=True)[: int(digests[-1].split()[0])])


def _drop_start(folder: StateFolder, cut: Cut) -> None:
    """Put a file without its first bytes in the place of the segment."""
    size = os.fstat(cut.segment.fd).st_size  # with the entry about this pruning, where the file is the current one
    rest = Segment(cut.segment.name, cut.segment.fd, size).read()[cut.size :]
    fd = folder.open_file(_FRESH, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    try:
        _write_all(fd, rest)
    finally:
        os.close(fd)
    os.rename(_FRESH, cut.segment.name, src_dir_fd=folder.fd, dst_dir_fd=folder.fd)


def _write_all(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]
    os.fsync(fd)
