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
from engram.journal.lock import JournalLock
from engram.journal.log import OWN, WAIT_S, Appender, Journal
from engram.journal.segments import CURRENT, PRUNED, Segment, Snapshot
from engram.journal.verify import verify
from engram.model import Value

KEEP_DAYS = 90
KEEP_BYTES = 200 << 20
_FRESH = "journal.prune"
_NO_ROTATION = 1 << 62


class Pruned(Value):
    """What went: how many entries, how many bytes of files, and the number of the last one (0 if none went)."""

    entries: int
    bytes: int
    last: int


class _Cut(Value):
    """What goes of one file: its first `size` bytes, and the digest lines that stay for them."""

    segment: Segment
    size: int
    digests: tuple[bytes, ...]


def prune(journal: Journal, *, before: str, keep_bytes: int = KEEP_BYTES, session: str = "") -> Pruned:
    """Remove the entries older than `before` (UTC, as entries tell it), then the oldest until `keep_bytes` hold all.

    Raises BrokenChain if the journal does not verify: pruning would remove the evidence.  JournalUnwritable,
    UnsafeState as an append does.
    """
    with make_state(journal.root) as folder, JournalLock(folder, WAIT_S), Snapshot(folder, locked=True) as snapshot:
        report = verify(snapshot)
        if report.broken is not None:
            at = f"{report.broken.file}:{report.broken.line}"
            raise BrokenChain(f"{at} {report.broken.what}", "keep the files; `engram journal verify` tells more")
        cuts = _cuts(snapshot.segments, before, keep_bytes)
        if not cuts:
            return Pruned(0, 0, 0)
        try:
            return _remove(folder, snapshot, cuts, session)
        except OSError as error:
            raise JournalUnwritable(f"{folder.path}: {error.strerror}") from error


def _cuts(segments: list[Segment], before: str, keep_bytes: int) -> list[_Cut]:
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
            cuts.append(_Cut(segment, gone, tuple(digests)))
        if gone < segment.size:
            break
    return cuts


def _remove(folder: StateFolder, snapshot: Snapshot, cuts: list[_Cut], session: str) -> Pruned:
    digests = [line for cut in cuts for line in cut.digests]
    last = int(digests[-1].split()[0])
    size = sum(cut.size for cut in cuts)
    whole = _keep_digests(folder, snapshot, digests)
    note = {"event": "prune", "to": last, "entries": len(digests), "bytes": size, "sha256": sha256_hex(whole)}
    draft = Draft(OWN, note, True, {}, truncated=False, files={}, duration_ms=0, session=session)
    Appender(folder, _NO_ROTATION).append(wire_of(draft))
    for cut in cuts:
        if cut.size == cut.segment.size and cut.segment.name != CURRENT:
            os.unlink(cut.segment.name, dir_fd=folder.fd)
        else:
            _drop_start(folder, cut)
    os.fsync(folder.fd)
    return Pruned(len(digests), size, last)


def _keep_digests(folder: StateFolder, snapshot: Snapshot, digests: list[bytes]) -> bytes:
    """The whole of the file of digests, after those that it did not have yet were added."""
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


def _drop_start(folder: StateFolder, cut: _Cut) -> None:
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
