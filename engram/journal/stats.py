"""Counts over a journal: calls, bytes and errors, by primitive and by session."""

from __future__ import annotations

from engram.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from engram.journal.entry import JournalEntry


class Count(Value):
    """What calls of one kind came to; times as in entries, "" where there were none."""

    name: str
    calls: int = 0
    errors: int = 0
    bytes: int = 0
    truncated: int = 0
    first: str = ""
    last: str = ""


class Stats(Value):
    """All calls, then those by primitive (most calls first, then by name) and by session (latest first)."""

    total: Count
    primitives: tuple[Count, ...]
    sessions: tuple[Count, ...]


def count(entries: Iterable[JournalEntry]) -> Stats:
    """The counts over entries that come in their order."""
    total = _Tally()
    primitives: dict[str, _Tally] = {}
    sessions: dict[str, _Tally] = {}
    for entry in entries:
        session = sessions.pop(entry.session, None) or _Tally()
        sessions[entry.session] = session  # to the end: the latest is the last
        for tally in (total, primitives.setdefault(entry.primitive, _Tally()), session):
            tally.add(entry)
    kinds = [tally.named(name) for name, tally in primitives.items()]
    return Stats(
        total.named("all"),
        tuple(sorted(kinds, key=lambda kind: (-kind.calls, kind.name))),
        tuple([tally.named(name) for name, tally in reversed(sessions.items())]),
    )


class _Tally:
    __slots__ = ("_bytes", "_calls", "_errors", "_first", "_last", "_truncated")

    def __init__(self) -> None:
        self._calls = self._errors = self._bytes = self._truncated = 0
        self._first = self._last = ""

    def add(self, entry: JournalEntry) -> None:
        self._calls += 1
        self._errors += not entry.ok
        self._bytes += entry.bytes
        self._truncated += entry.truncated
        self._first = self._first or entry.at
        self._last = entry.at

    def named(self, name: str) -> Count:
        return Count(name, self._calls, self._errors, self._bytes, self._truncated, self._first, self._last)
