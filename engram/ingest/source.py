"""Reads one file for indexing, or says why it is left out."""

from __future__ import annotations

import errno
import os
import stat
from hashlib import sha256
from typing import NamedTuple

from engram.ingest.discover import MAX_BYTES, Fingerprint, fingerprint_of

_HEAD = 8192  # git, too, looks for a NUL byte in the first 8,000 bytes to call a file binary
_MINIFIED_LINE = 1000  # mean bytes a line: the longest-winded hand-written file of the repositories measured has 110
_MINIFIED_BYTES = 20_000


class Source(NamedTuple):
    """The content of a file, with the fingerprint and the sha256 of exactly these bytes.

    `reason` says why it is not to be indexed ("" if it is); the sha256 is "" for a file that cannot be read.
    """

    content: bytes
    fingerprint: Fingerprint
    sha256: str
    reason: str


def read_source(root: str, path: str) -> Source | None:
    """The file, None if it is gone; reasons are unreadable, symlink, no-regular-file, too-large, binary, minified."""
    full = os.path.join(root, path)
    try:
        handle = os.open(full, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        return _unread(full, "symlink" if error.errno == errno.ELOOP else "unreadable")
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            return _unread(full, "no-regular-file")
        content = _read_all(handle, status.st_size)
    except OSError:
        return _unread(full, "unreadable")
    finally:
        os.close(handle)
    return Source(content, fingerprint_of(status), sha256(content).hexdigest(), _reason(content))


def _unread(full: str, reason: str) -> Source | None:
    try:
        return Source(b"", fingerprint_of(os.lstat(full)), "", reason)
    except OSError:
        return None


def _reason(content: bytes) -> str:
    if len(content) > MAX_BYTES:
        return "too-large"
    if b"\0" in content[:_HEAD]:
        return "binary"
    if len(content) > _MINIFIED_BYTES and len(content) > _MINIFIED_LINE * (1 + content.count(b"\n")):
        return "minified"
    return ""


def _read_all(handle: int, expected: int) -> bytes:
    parts = []
    left = min(max(expected, 0), MAX_BYTES) + 1
    while left > 0 and (data := os.read(handle, left)):
        parts.append(data)
        left -= len(data)
    return b"".join(parts)
