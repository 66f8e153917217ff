"""The index lock: at most one process at a time builds or changes the index of a checkout.

It is a node in a graph of its own (one per machine, key `engram:<machine>:locks`), because the checkout's own graph is
replaced by every rebuild.  The engine runs the writes to one graph one by one, so of all who ask in the same instant
exactly one query finds the lock free.  Times are the server's.

A lock is stale when its owner, a process of this machine, is gone; when it lives but has not renewed the lock for
HUNG_MS; or when nothing can be known of it (another machine, another container) and it has not for STALE_MS.  Such an
owner may be asleep, not dead, so a grant also raises the checkout's *fence*: whoever swaps an index in watches that key
(`IndexLock.watch`), and one whose lock went to somebody else finds it changed.
"""

from __future__ import annotations

import os
import time

from engram.errors import IndexBusy
from engram.processes import started, this_host
from engram.store.graph import Graph
from engram.store.keys import machine_key
from engram.store.schema import INDEX_LOCK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram.config import Config
    from engram.store.schema import Keys
    from engram.store.wire import Connection

# The longest step between two renewals is the extraction of a repository: 30 s for 12,000 files on two idle cores.
STALE_MS = 120_000
HUNG_MS = 600_000
_RENEW_S = 5.0
_PAUSE_S = 0.05

_ACQUIRE = f"""
MERGE (l:{INDEX_LOCK} {{k: $k}})
WITH l, timestamp() AS now, coalesce(l.owner, '') AS holder
WITH l, now, holder, holder IN ['', $me, $gone] OR (holder = $known AND l.at < now - $stale) AS free
SET l.owner = CASE WHEN free THEN $me ELSE holder END,
    l.at = CASE WHEN free THEN now ELSE l.at END,
    l.grant = CASE WHEN free AND holder <> $me THEN coalesce(l.grant, 0) + 1 ELSE l.grant END
RETURN free, holder, l.grant
"""
_RENEW = f"MATCH (l:{INDEX_LOCK} {{k: $k, owner: $me}}) SET l.at = timestamp() RETURN l.grant"
_RELEASE = f"MATCH (l:{INDEX_LOCK} {{k: $k, owner: $me}}) SET l.owner = ''"


class IndexLock:
    """The lock on one checkout, held by this process; a context manager that releases it.

    Made by `acquire_lock`.  Call `renew` between the steps of the work.
    """

    def __init__(self, graph: Graph, keys: Keys, owner: str, grant: int) -> None:
        self._graph = graph
        self._keys = keys
        self._renewed = time.monotonic()
        self.owner = owner
        self.grant = grant

    @property
    def watch(self) -> tuple[str, bytes]:
        """The fence and its value while the lock is ours, for `transaction(watch=...)`."""
        return self._keys.fence, str(self.grant).encode("ascii")

    def renew(self) -> None:
        """Say that the owner lives; costs nothing when called more often than every few seconds.

        Raises IndexBusy if the lock went to another process: the work must end without a trace.
        """
        if time.monotonic() - self._renewed < _RENEW_S:
            return
        if not self._graph.write(_RENEW, {"k": self._keys.base, "me": self.owner}):
            raise IndexBusy("another process took over the index, because this one did not move for too long")
        self._renewed = time.monotonic()

    def release(self) -> None:
        """Give the lock back; nothing happens if it is not ours any more."""
        self._graph.write(_RELEASE, {"k": self._keys.base, "me": self.owner})

    def __enter__(self) -> IndexLock:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def acquire_lock(
    connection: Connection,
    config: Config,
    keys: Keys,
    *,
    wait_s: float = 0.0,
    stale_ms: int = STALE_MS,
    hung_ms: int = HUNG_MS,
) -> IndexLock:
    """The lock on a checkout; raises IndexBusy if another process still holds it after `wait_s`."""
    graph = Graph(connection, machine_key(config, "locks"))
    owner = f"{this_host()}/{os.getpid()}/{started(os.getpid())}/{os.urandom(4).hex()}"
    deadline = time.monotonic() + wait_s
    known = gone = ""
    while True:
        patience = hung_ms if _is_here(known) else stale_ms
        asked = graph.write(_ACQUIRE, {"k": keys.base, "me": owner, "known": known, "gone": gone, "stale": patience})
        [[granted, holder, grant]] = asked
        if granted:
            connection.call("SET", keys.fence, grant)
            return IndexLock(graph, keys, owner, grant)
        if holder != known or (gone != holder and _is_gone(holder)):
            known, gone = holder, holder if _is_gone(holder) else ""
            continue  # ask again, now that it is known who holds the lock
        if time.monotonic() >= deadline:
            raise IndexBusy(f"another process (pid {_pid(holder)}) is indexing this checkout", "wait for it to finish")
        time.sleep(_PAUSE_S)


def _is_gone(owner: str) -> bool:
    """Whether the owner was a process of this machine that does not live any more."""
    _, pid, since, _ = owner.split("/")
    return _is_here(owner) and started(int(pid)) != since


def _is_here(owner: str) -> bool:
    """Whether the owner was a process of this machine, so that its process id tells something."""
    return owner.partition("/")[0] == this_host()


def _pid(owner: str) -> str:
    return owner.split("/")[1]
