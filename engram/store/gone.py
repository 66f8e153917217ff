"""Activity that points at a place which leaves the code, or comes back to it, within an incremental run.

Activity cannot be derived again, so its edges outlive the file or symbol they point at: they move to a `Gone` node of
the same path or id, as they do in a rebuild (`carry`), and back when the place returns.
"""

from __future__ import annotations

from engram.store.schema import ANCHORED_EDGES, ANCHORS, FILE, GONE, SYMBOL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from engram.store.graph import Graph
    from engram.store.wire import Part

_KEEP = (
    "UNWIND $rows AS name MATCH (a)-[e:{type}]->(b:{label} {{{key}: name}}) "
    f"MERGE (g:{GONE} {{{{id: name, was: '{{label}}'}}}}) CREATE (a)-[n:{{type}}]->(g) SET n = properties(e)"
)
_RETURN = (
    f"UNWIND $rows AS name MATCH (a)-[e:{{type}}]->(g:{GONE} {{{{id: name, was: '{{label}}'}}}}) "
    "MATCH (b:{label} {{{key}: name}}) CREATE (a)-[n:{type}]->(b) SET n = properties(e)"
)
_FORGET = f"UNWIND $rows AS name MATCH (g:{GONE} {{{{id: name, was: '{{label}}'}}}}) DETACH DELETE g"


def keep_commands(graph: Graph, files: Sequence[str], symbols: Sequence[str]) -> list[tuple[Part, ...]]:
    """Commands to run before the files and symbols are deleted: what points at them points at Gone nodes, too."""
    return [
        graph.command(_KEEP.format(type=edge, label=label, key=ANCHORS[label]), {"rows": names})
        for label, names in ((FILE, files), (SYMBOL, symbols))
        if names
        for edge in ANCHORED_EDGES
    ]


def return_commands(graph: Graph, files: Sequence[str], symbols: Sequence[str]) -> list[tuple[Part, ...]]:
    """Commands to run after the files and symbols were made: what pointed at their Gone nodes points at them."""
    commands: list[tuple[Part, ...]] = []
    for label, names in ((FILE, files), (SYMBOL, symbols)):
        queries = [_RETURN.format(type=edge, label=label, key=ANCHORS[label]) for edge in ANCHORED_EDGES]
        queries.append(_FORGET.format(label=label))
        commands += [graph.command(query, {"rows": names}) for query in queries if names]
    return commands
