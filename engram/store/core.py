"""The files that the rest of a repository leans on, with their main symbols; found once per index, read by hooks."""

from __future__ import annotations

from engram.model import Value
from engram.paths import is_aside_path, is_test_path, stem_of
from engram.store.graph import Graph

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram.store.schema import Keys
    from engram.store.wire import Connection

MAX_FILES = 8  # more than a card has room for
MAX_SYMBOLS = 3
_CANDIDATES = 40  # before tests and what stands beside the product are left out
_SLOW_MS = 20_000  # a pass over all call edges: 0.26 s at 22,000

BY_CALLERS = """
MATCH (f:File)-[:DEFINES]->(:Symbol)<-[c:CALLS]-(t:Symbol)
WHERE t.path <> f.path AND c.confidence >= 0.8
RETURN f.path, count(DISTINCT t.path) AS n ORDER BY n DESC, f.path LIMIT $most
"""
BY_IMPORTERS = """
MATCH (f:File) WITH f.path AS path, indegree(f, 'IMPORTS') AS n WHERE n > 1
RETURN path, n ORDER BY n DESC, path LIMIT $most
"""
SYMBOLS = """
MATCH (s:Symbol) WHERE s.path IN $paths AND s.kind <> 'module'
WITH s.path AS path, split(s.qualname, '.')[0] AS name, sum(indegree(s, 'CALLS')) AS n WHERE n > 0
WITH path, name, n ORDER BY n DESC, name
RETURN path, collect(name)[0..$most]
"""


class CoreFile(Value):
    """A file that many others use, with its most called symbols of the top level, the most called first."""

    path: str
    symbols: tuple[str, ...]


def note_core(connection: Connection, keys: Keys) -> None:
    """Find the core files by the number of files that call into them, and keep them for `read_core`."""
    graph = Graph(connection, keys.graph)
    paths = _ranked(graph, BY_CALLERS)
    lines = ["\t".join([core.path, *core.symbols]) for core in _with_symbols(graph, paths)]
    connection.call("SET", keys.side("core"), "\n".join(lines))


def read_core(connection: Connection, keys: Keys) -> list[CoreFile]:
    """The core files, the most used first, at most MAX_FILES.

    Where an index is too young to have them noted, the most imported files; [] where nothing is imported either.
    """
    kept: bytes | None = connection.call("GET", keys.side("core"))
    if kept:
        rows = [line.split("\t") for line in kept.decode("utf-8", "surrogatepass").split("\n")]
        return [CoreFile(row[0], tuple(row[1:])) for row in rows]
    graph = Graph(connection, keys.graph)
    return _with_symbols(graph, _ranked(graph, BY_IMPORTERS))


def _ranked(graph: Graph, query: str) -> list[str]:
    rows = graph.read(query, {"most": _CANDIDATES}, timeout_ms=_SLOW_MS if query is BY_CALLERS else 2000)
    # A package's `__init__` passes on what others define, and is no place to look.
    fits = [
        path
        for path, _ in rows
        if not (is_test_path(path) or is_aside_path(path) or "\t" in path or "\n" in path or _passes_on(path))
    ]
    return fits[:MAX_FILES]


def _passes_on(path: str) -> bool:
    return stem_of(path) != (path.rpartition("/")[2].rpartition(".")[0])


def _with_symbols(graph: Graph, paths: list[str]) -> list[CoreFile]:
    symbols = dict(graph.read(SYMBOLS, {"paths": paths, "most": MAX_SYMBOLS})) if paths else {}
    return [CoreFile(path, tuple(symbols.get(path, ()))) for path in paths]
