"""The end of a journal file, found by reading backwards from it."""

from __future__ import annotations

import os

from engram.errors import JournalUnwritable
from engram.journal.entry import GENESIS, VERSION, complaint
from engram.journal.jsonlight import loads
from engram.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_CHUNK = 1 << 14  # most lines have less than 2 KB


class Head(Value):
    """The last entry of a chain: its number, from 1, and its hash; 0 and 64 zeros where none is."""

    seq: int = 0
    hash: str = GENESIS


class Tail(Value):
    """How a file ends: its last entry, None if it has none, and the bytes of a line that was torn off."""

    head: Head | None
    torn: bytes = b""


def read_tail(fd: int, size: int, path: str) -> Tail:
    """The tail of the journal file; lines behind the last entry that are no entries are passed over.

    Raises JournalUnwritable if a newer engram wrote there: its chain may follow other rules.
    """
    torn = b""
    for number, line in enumerate(_lines_backwards(fd, size)):
        if number == 0:
            torn = line
            continue
        wire = _object_in(line)
        if isinstance(wire.get("v"), int) and wire["v"] > VERSION:
            raise JournalUnwritable(f"{path} was written by a newer engram", "update engram to go on with this journal")
        if not complaint(wire):
            return Tail(Head(wire["seq"], wire["hash"]), torn)
    return Tail(None, torn)


def _object_in(line: bytes) -> dict[str, Any]:
    try:
        wire = loads(line.decode("ascii"))
    except (ValueError, RecursionError):
        return {}
    return wire if isinstance(wire, dict) else {}


def _lines_backwards(fd: int, size: int) -> Iterator[bytes]:
    """First what follows the last newline (empty in a whole file), then line after line."""
    rest: list[bytes] = []  # pieces of a line whose start was not read yet, last piece first
    at = size
    while at > 0:
        start = max(0, at - _CHUNK)
        first, *others = os.pread(fd, at - start, start).split(b"\n")
        at = start
        if others:
            yield b"".join([others[-1], *reversed(rest)])
            yield from reversed(others[:-1])
            rest = []
        rest.append(first)
    yield b"".join(reversed(rest))
