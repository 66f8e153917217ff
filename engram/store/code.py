"""Questions to the code part of the graph.  Read by hooks, so nothing slow is imported here."""

from __future__ import annotations

from engram.model import Call, Symbol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from engram.store.graph import Graph

FACT = 0.8  # a call edge of at least this confidence is shown as a fact, one below as possible

_S = "{0}.id, {0}.name, {0}.qualname, {0}.kind, {0}.path, {0}.start, {0}.end, {0}.signature, {0}.exported"
_A, _B = _S.format("a"), _S.format("b")

FIND_BY_ID = f"MATCH (a:Symbol {{id: $name}}) RETURN {_A}"
FIND_BY_NAME = f"MATCH (a:Symbol {{name: $name}}) RETURN {_A} ORDER BY a.path, a.start LIMIT $limit"
FIND_ALL = (
    f"MATCH (a:Symbol) WHERE a.kind <> 'module' AND toLower(a.qualname) CONTAINS $part "
    f"RETURN {_A} ORDER BY a.path, a.start LIMIT $limit"
)
OF_FILE = (
    f"MATCH (a:Symbol {{path: $path}}) WHERE a.kind <> 'module' RETURN {_A} ORDER BY a.start, a.end DESC LIMIT $limit"
)
CALLERS = (
    f"MATCH (a:Symbol)-[e:CALLS]->(b:Symbol {{id: $id}}) RETURN {_A}, {_B}, e.line, e.confidence "
    "ORDER BY e.confidence DESC, a.path, e.line LIMIT $limit"
)
CALLEES = (
    f"MATCH (a:Symbol {{id: $id}})-[e:CALLS]->(b:Symbol) RETURN {_A}, {_B}, e.line, e.confidence "
    "ORDER BY e.confidence DESC, e.line, b.id LIMIT $limit"
)
PATHS = "MATCH (f:File) RETURN f.path ORDER BY f.path"
FILE_COUNT = "MATCH (n:File) RETURN count(n)"
SYMBOL_COUNT = "MATCH (n:Symbol) RETURN count(n)"
ISSUES = "MATCH (f:File) WHERE f.status <> 'ok' RETURN f.status, count(f) ORDER BY f.status"
EDGE_COUNT = "MATCH ()-[e:CALLS]->() RETURN count(e)"

_WIDTH = 9  # columns of one symbol in the rows above


def find_symbols(graph: Graph, name: str, *, limit: int) -> list[Symbol]:
    """The symbols that `name` may mean, by path and line, at most `limit`; empty if there is none.

    `name` is an id (`path#qualname`), a qualified name or the end of one (`Choice.convert`), or a bare name.
    """
    if "#" in name:
        return [_symbol(row) for row in graph.read(FIND_BY_ID, {"name": name})]
    last = name.rsplit(".", 1)[-1]
    rows = graph.read(FIND_BY_NAME, {"name": last, "limit": 10_000})
    found = [_symbol(row) for row in rows if row[3] != "module"]
    return [s for s in found if s.qualname == name or s.qualname.endswith("." + name)][:limit]


def list_symbols(graph: Graph, part: str, *, limit: int) -> list[Symbol]:
    """The symbols whose qualified name holds `part`, in any case, by path and line; at most `limit`."""
    return [_symbol(row) for row in graph.read(FIND_ALL, {"part": part.lower(), "limit": limit}, timeout_ms=2000)]


def symbols_of_file(graph: Graph, path: str, *, limit: int) -> list[Symbol]:
    """The symbols of one file from top to bottom, outer ones first; at most `limit`."""
    return [_symbol(row) for row in graph.read(OF_FILE, {"path": path, "limit": limit})]


def find_callers(graph: Graph, symbol_id: str, *, limit: int) -> list[Call]:
    """The calls of the symbol, the surest first, then by path and line; at most `limit`."""
    return [_call(row) for row in graph.read(CALLERS, {"id": symbol_id, "limit": limit})]


def find_callees(graph: Graph, symbol_id: str, *, limit: int) -> list[Call]:
    """The calls that the symbol makes, the surest first, then by line; at most `limit`."""
    return [_call(row) for row in graph.read(CALLEES, {"id": symbol_id, "limit": limit})]


def indexed_paths(graph: Graph) -> list[str]:
    """The paths of all indexed files, sorted."""
    return [row[0] for row in graph.read(PATHS, timeout_ms=5000)]


def count_code(graph: Graph) -> tuple[int, int, int]:
    """How many files, symbols (modules apart) and call edges the graph holds; the engine keeps count of them."""
    files, symbols, calls = (graph.read(query)[0][0] for query in (FILE_COUNT, SYMBOL_COUNT, EDGE_COUNT))
    return files, symbols - files, calls


def count_issues(graph: Graph) -> dict[str, int]:
    """How many indexed files have something wrong with them, by what it is; empty if none has."""
    return dict(graph.read(ISSUES, timeout_ms=5000))


def _symbol(row: list[Any]) -> Symbol:
    return Symbol(*row[:_WIDTH])


def _call(row: list[Any]) -> Call:
    return Call(_symbol(row), _symbol(row[_WIDTH:]), row[2 * _WIDTH], row[2 * _WIDTH + 1])
