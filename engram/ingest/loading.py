"""The way of a new index into the server, while the parsing goes on."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Self

from engram.extract.facts import MODULE
from engram.store.bulk import load_bulk, pack_edges
from engram.store.files import LEXICAL, SIDES, Command
from engram.store.graph import Graph
from engram.store.history import SHOWN, SHOWN_AT
from engram.store.lexical import MAX_SEGMENTS, segment_key
from engram.store.schema import DEFINES, Keys, index_queries
from engram.store.wire import Connection

Blob = tuple[int, bytes]  # how many nodes or edges, and they, packed
Step = Callable[[Connection], object]


class Loader:
    """Runs steps on the connection in a thread of its own, in their order; the first failure ends it.

    The connection must not be used by others until the loader is left.  Leaving waits for all steps, and raises
    what the failing one raised.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._steps: queue.SimpleQueue[Step | None] = queue.SimpleQueue()
        self._failure: Exception | None = None
        self._thread = threading.Thread(target=self._run, name="engram-loader")

    def put(self, step: Step) -> None:
        """Have the step run after those before it; it is called with the connection.

        Raises what an earlier step raised: there is no use in going on.
        """
        if self._failure is not None:
            raise self._failure
        if not self._thread.is_alive():
            self._thread.start()
        self._steps.put(step)

    def _run(self) -> None:
        while (step := self._steps.get()) is not None:
            try:
                if self._failure is None:
                    step(self._connection)
            except Exception as error:  # noqa: BLE001 - carried over to the thread that waits for it
                self._failure = error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._thread.is_alive():
            self._steps.put(None)
            self._thread.join()
        if kind is None and self._failure is not None:
            raise self._failure


class Nodes:
    """Which number the engine gives each node: they are counted in the order in which blobs are loaded."""

    def __init__(self) -> None:
        self._next = 0
        self.files: dict[str, int] = {}
        self.modules: dict[str, int] = {}
        self.counts: dict[str, int] = {}

    def add(self, files: Sequence[tuple[str, int]]) -> None:
        """Number one chunk: a blob of its files, then one of all their symbols; each is (path, count of symbols)."""
        for path, _ in files:
            self.files[path] = self._next
            self._next += 1
        for path, count in files:
            self.modules[path] = self._next
            self.counts[path] = count
            self._next += count

    def symbol(self, path: str, index: int) -> int:
        """The number of definition `index` of a file; MODULE is its top level."""
        return self.modules[path] + (index - MODULE)


def clear_aside(connection: Connection, keys: Keys) -> None:
    """Remove what an earlier, broken-off build has left under the keys for what is new."""
    doomed = [keys.new, *[keys.side_new(side) for side in (*SIDES, SHOWN, SHOWN_AT)]]
    segments = [segment_key(keys.side_new(LEXICAL), index) for index in range(MAX_SEGMENTS)]
    connection.call("UNLINK", *doomed, *segments)


def load_nodes(connection: Connection, *, keys: Keys, begin: bool, blobs: Sequence[Blob]) -> None:
    """Add nodes to the new graph; the first time, `begin` makes it, even for no nodes."""
    load_bulk(connection, keys.new, begin=begin, node_blobs=blobs, edge_blobs=[])


def load_edges(connection: Connection, *, keys: Keys, blobs: Sequence[Blob]) -> None:
    """Add all edges, after all nodes."""
    load_bulk(connection, keys.new, begin=False, node_blobs=[], edge_blobs=blobs)


def index_commands(connection: Connection, keys: Keys) -> list[Command]:
    """The commands that make the new graph's indexes; the engine fills them by itself, while the edges get ready."""
    graph = Graph(connection, keys.new)
    return [graph.command(query) for query in index_queries()]


def pack_defines(nodes: Nodes) -> list[Blob]:
    """The blob of the edges from each file to its symbols; none where there is no file."""
    rows = [
        (file, number)
        for path, file in nodes.files.items()
        for number in range(nodes.modules[path], nodes.modules[path] + nodes.counts[path])
    ]
    return [(len(rows), pack_edges(DEFINES, (), rows))] if rows else []
