"""What a map needs of the graph: places by document, callees of the likely ones, files to check, tests to run."""

from __future__ import annotations

from engram.model import Symbol, Value
from engram.store.graph import Graph, rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

HUB = 40  # callers; what more than so many call is called by everything and points nowhere
MIN_CONFIDENCE = 0.5  # of a call edge that evidence may flow along: one of two candidates
MAX_EDGES = 300  # rows of callers or importers that are read: a map names three tests, not all
_SYMBOL = "s.doc, s.id, s.qualname, s.kind, s.path, s.start, s.end"

PLACES = f"MATCH (s:Symbol) WHERE s.doc IN $docs RETURN {_SYMBOL}"
CALLEES = f"""
MATCH (caller:Symbol)-[c:CALLS]->(s:Symbol)
WHERE caller.doc IN $seeds AND c.confidence >= $least AND indegree(s, 'CALLS') <= $hub
RETURN DISTINCT caller.doc, {_SYMBOL}
"""
PATHS = "MATCH (f:File) WHERE f.number IN $numbers RETURN f.number, f.path"
TOUCHED = """
MATCH (c:Commit)-[:TOUCHED]->(f:File) WHERE c.sha IN $commits RETURN c.sha, f.number, f.path
"""
STATES = "MATCH (f:File) WHERE f.path IN $paths RETURN f.path, f.size, f.mtime_ns"
# With a label on the far end, the engine would start there and look at every symbol: 180 ms at 220,000.
# Nearly all paths that is_test_path knows have one of these in them; the others are tests of no place (fixtures).
CALLERS = """
MATCH (t)-[c:CALLS]->(s:Symbol)
WHERE s.doc IN $docs AND c.confidence >= $least AND (t.path CONTAINS 'est' OR t.path CONTAINS 'spec')
RETURN DISTINCT t.path, s.doc ORDER BY t.path, s.doc LIMIT $most
"""
IMPORTERS = """
MATCH (f)-[:IMPORTS]->(g:File)
WHERE g.path IN $paths AND (f.path CONTAINS 'est' OR f.path CONTAINS 'spec')
RETURN DISTINCT f.path, g.path ORDER BY f.path, g.path LIMIT $most
"""


class Surroundings(Value):
    """The graph around candidates: `places` by document, `paths` by file number, `callees` of each seed, sorted.

    `touched` are the files of the commits: id of the commit, number of the file; `paths` has these files, too.  What is
    no longer there is missing: documents and numbers of replaced files find nothing.
    """

    places: dict[int, Symbol]
    paths: dict[int, str]
    callees: dict[int, list[int]]
    touched: list[tuple[str, int]]


class Bearings(Value):
    """The graph around what is shown: size and mtime_ns by path; (path of a caller, document); (importer, imported)."""

    states: dict[str, tuple[int, int]]
    callers: list[tuple[str, int]]
    importers: list[tuple[str, str]]


def find_surroundings(
    graph: Graph, docs: Sequence[int], numbers: Sequence[int], seeds: Sequence[int], commits: Sequence[str] = ()
) -> Surroundings:
    """The definitions `docs`, the files `numbers`, what the functions `seeds` call, what `commits` touched."""
    replies = graph.connection.pipeline(
        [
            graph.read_command(PLACES, {"docs": [*docs]}),
            graph.read_command(PATHS, {"numbers": [*numbers]}),
            graph.read_command(CALLEES, {"seeds": [*seeds], "least": MIN_CONFIDENCE, "hub": HUB}),
            *([graph.read_command(TOUCHED, {"commits": [*commits]})] if commits else []),
        ]
    )
    places = {row[0]: _symbol(row) for row in rows(replies[0])}
    callees: dict[int, set[int]] = {}
    for caller, *row in rows(replies[2]):
        places[row[0]] = _symbol(row)
        if row[0] != caller:
            callees.setdefault(caller, set()).add(row[0])
    paths = dict(rows(replies[1]))
    touched = rows(replies[3]) if commits else []
    paths.update({number: path for _, number, path in touched})
    callees_of = {caller: sorted(found) for caller, found in callees.items()}
    return Surroundings(places, paths, callees_of, [(sha, number) for sha, number, _ in touched])


def _symbol(row: list[Any]) -> Symbol:
    """Of what a map needs: each column of a reply costs as much as a posting."""
    _, symbol_id, qualname, kind, path, start, end = row
    return Symbol(symbol_id, qualname.rpartition(".")[2], qualname, kind, path, start, end)


def find_bearings(graph: Graph, paths: Sequence[str], docs: Sequence[int]) -> Bearings:
    """How the files `paths` were when indexed, what calls `docs` and what imports `paths`, in one round trip.

    Of callers and importers only those that may be tests.
    """
    replies = graph.connection.pipeline(
        [
            graph.read_command(STATES, {"paths": [*paths]}),
            graph.read_command(CALLERS, {"docs": [*docs], "least": MIN_CONFIDENCE, "most": MAX_EDGES}),
            graph.read_command(IMPORTERS, {"paths": [*paths], "most": MAX_EDGES}),
        ]
    )
    states, callers, importers = [rows(reply) for reply in replies]
    return Bearings(
        {path: (size, mtime_ns) for path, size, mtime_ns in states},
        [(path, doc) for path, doc in callers],
        [(importer, imported) for importer, imported in importers],
    )


def find_paths(graph: Graph, numbers: Sequence[int]) -> list[str]:
    """The paths of the files with these numbers, sorted; those no longer there are missing."""
    return sorted([path for _, path in graph.read(PATHS, {"numbers": [*numbers]})]) if numbers else []
