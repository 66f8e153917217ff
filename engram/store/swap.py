"""Put a rebuilt index in the place of the old one, in one step, without losing activity that is written meanwhile.

Activity is copied first, and the swap happens only if nothing was written since: every write of activity raises the
counter `Keys.activity` in its own MULTI, and the swap watches it.  Else what changed is copied and the swap tried
again.  Writers that never pause would starve it, so after UNGATED_TRIES the *gate* asks them to wait; it opens by
itself, should the swap die.
"""

from __future__ import annotations

import time

from engram.errors import IndexBusy, StoreError
from engram.store.carry import EMPTY, copy_activity
from engram.store.graph import Graph, transaction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from engram.store.schema import Keys
    from engram.store.wire import Connection, Part, Reply

UNGATED_TRIES = 2
_GATED_TRIES = 4
_GATE_MS = 1000  # to look for what changed among 15,000 nodes and edges takes 0.4 s; doubled with every further try
_GATE_PAUSE_S = 0.005


def swap_in(
    connection: Connection,
    keys: Keys,
    side_renames: Iterable[tuple[str, str]],
    extra: Iterable[Sequence[Part]] = (),
    *,
    watch: Iterable[tuple[str, bytes | None]] = (),
) -> int:
    """Rename `keys.new` to `keys.graph`, and each (from, to) beside it, and run `extra`, as one; returns the tries.

    A `from` that does not exist removes its `to`.  `watch` is what must not have changed: the lock's fence.
    Raises IndexBusy if that has, StoreError if nothing was built; the old index is untouched then.
    """
    old, new = Graph(connection, keys.graph), Graph(connection, keys.new)
    if not new.exists():
        raise StoreError("no rebuilt graph is there to be swapped in")
    moves = [("RENAME", keys.new, keys.graph), *_moves(connection, side_renames)]
    commands = [*moves, *extra, ("DEL", keys.gate)]
    guarded = list(watch)
    copied = EMPTY
    for attempt in range(UNGATED_TRIES + _GATED_TRIES):
        if attempt >= UNGATED_TRIES:
            connection.call("SET", keys.gate, 1, "PX", _GATE_MS << (attempt - UNGATED_TRIES))
        counter = connection.call("GET", keys.activity)
        copied = copy_activity(old, new, copied)
        if transaction(connection, commands, watch=[(keys.activity, counter), *guarded]) is not None:
            return attempt + 1
        if any(connection.call("GET", key) != value for key, value in guarded):
            raise IndexBusy("another process took over the index; what this one built is dropped")
    raise StoreError("the index could not be swapped in: activity is written without a pause", "try again later")


def write_activity(
    connection: Connection, keys: Keys, commands: Sequence[Sequence[Part]], *, patience_s: float = 2.0
) -> list[Reply]:
    """Run commands that write activity, as one, so that no swap loses them; returns their replies.

    Waits while a swap holds the gate, at most `patience_s`; the swap notices a write that comes through all the same.
    """
    deadline = time.monotonic() + patience_s
    counted = [*commands, ("INCR", keys.activity)]
    while time.monotonic() < deadline:
        replies = transaction(connection, counted, watch=[(keys.gate, None)])
        if replies is not None:
            return replies[:-1]
        time.sleep(_GATE_PAUSE_S)
    return (transaction(connection, counted) or [])[:-1]


def _moves(connection: Connection, pairs: Iterable[tuple[str, str]]) -> list[tuple[str, ...]]:
    listed = list(pairs)
    found = connection.pipeline([("EXISTS", source) for source, _ in listed])
    return [
        ("RENAME", source, target) if exists else ("DEL", target)
        for (source, target), exists in zip(listed, found, strict=True)
    ]
