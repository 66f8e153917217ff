"""What else the change of some lines concerns: the symbols on them, who calls these, which tests look at them, and
which files have changed together with theirs.

Read by hooks, so nothing slow is imported here.
"""

from __future__ import annotations

from engram.model import Value
from engram.store.cochanges import CO_CHANGES_OF
from engram.store.code import FACT, symbols_of_file
from engram.store.graph import rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from engram.model import Symbol
    from engram.store.cypher import Parameter
    from engram.store.graph import Graph

_MOST_SYMBOLS = 5000  # of one file
_MOST_CALLERS = 200
_MOST_PARTNERS = 10
_LEAST_COUNT = 2  # commits in common: once may have been chance

_HASH = "MATCH (f:File {path: $path}) RETURN f.hash"
_CALLERS = (
    "UNWIND $ids AS id MATCH (a:Symbol)-[e:CALLS]->(b:Symbol {id: id}) WHERE a.path <> $path AND e.confidence >= $fact "
    "RETURN id, a.path, e.line ORDER BY id, a.path, e.line LIMIT $limit"
)
_IMPORTERS = "MATCH (a:File)-[:IMPORTS]->(f:File {path: $path}) RETURN a.path ORDER BY a.path LIMIT $limit"


class Site(Value):
    """A call elsewhere: which symbol (its id) is called, and where."""

    callee: str
    path: str
    line: int


class Impact(Value):
    """The innermost symbols on the changed lines, from top to bottom; their calls elsewhere; who imports the file.

    `partners` are the files that changed with it in more than one commit, the strongest first.
    """

    symbols: tuple[Symbol, ...]
    sites: tuple[Site, ...]
    importers: tuple[str, ...]
    partners: tuple[str, ...] = ()


NOTHING = Impact((), (), ())


def indexed_hash(graph: Graph, path: str) -> str:
    """The hash of the file as it was indexed; "" where it is not.  Raises NotIndexed."""
    found = graph.read(_HASH, {"path": path})
    return found[0][0] or "" if found else ""


def find_impact(graph: Graph, path: str, lines: Collection[int]) -> Impact:
    """What the change of these lines of the file, as it was indexed, concerns."""
    touched = [
        s for s in symbols_of_file(graph, path, limit=_MOST_SYMBOLS) if any(s.start <= n <= s.end for n in lines)
    ]
    inner = _innermost(touched, lines)
    ids = [symbol.id for symbol in inner]
    params: dict[str, Parameter] = {"ids": ids, "path": path, "fact": FACT, "limit": _MOST_CALLERS}
    asked = [graph.read_command(CO_CHANGES_OF, {"path": path, "limit": _MOST_PARTNERS})]
    if inner:
        asked += [graph.read_command(_CALLERS, params), graph.read_command(_IMPORTERS, {"path": path, "limit": 500})]
    partners, callers, importers = ([rows(reply) for reply in graph.connection.pipeline(asked)] + [[], []])[:3]
    return Impact(
        tuple(inner),
        tuple([Site(*row) for row in callers]),
        tuple([row[0] for row in importers]),
        tuple([other for other, count, _ in partners if count >= _LEAST_COUNT]),
    )


def _innermost(symbols: Sequence[Symbol], lines: Collection[int]) -> list[Symbol]:
    """Those of the symbols that are the smallest around at least one of the lines."""
    chosen: dict[str, Symbol] = {}
    for line in sorted(lines):
        around = [symbol for symbol in symbols if symbol.start <= line <= symbol.end]
        if around:
            smallest = min(around, key=lambda symbol: (symbol.end - symbol.start, -symbol.start))
            chosen.setdefault(smallest.id, smallest)
    return list(chosen.values())
