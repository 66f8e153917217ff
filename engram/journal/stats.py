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
    total = Count("all")
    primitives: dict[str, Count] = {}
    sessions: dict[str, Count] = {}
    for entry in entries:
        total = _add(total, entry)
        primitives[entry.primitive] = _add(primitives.get(entry.primitive, Count(entry.primitive)), entry)
        sessions[entry.session] = _add(sessions.pop(entry.session, Count(entry.session)), entry)  # to the end
    return Stats(
        total,
        tuple(sorted(primitives.values(), key=lambda kind: (-kind.calls, kind.name))),
        tuple(reversed(sessions.values())),
    )


def _add(so_far: Count, entry: JournalEntry) -> Count:
    return Count(
        so_far.name,
        so_far.calls + 1,
        so_far.errors + (not entry.ok),
        so_far.bytes + entry.bytes,
        so_far.truncated + entry.truncated,
        so_far.first or entry.at,
        entry.at,
    )
