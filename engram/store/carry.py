"""Carry the activity part of a graph over to the graph that is about to replace it.

Activity cannot be derived again, so a rebuild of the code copies it: nodes by their id, edges by the ids of their
ends, where a place in the code is found by path or symbol id.  An edge to a place that the code has no more is kept
at a `Gone` node, and returns to the place when that returns.
"""

from __future__ import annotations

from engram.errors import NotIndexed, StoreError
from engram.model import Value
from engram.store.graph import Graph
from engram.store.schema import ACTIVITY_EDGES, ACTIVITY_NODES, ANCHORS, FILE, GONE, activity_index_queries

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    type NodeKey = tuple[str, str]  # label, id
    type EdgeKey = tuple[str, str, str, str, str]  # type, label and id of the source, label and id of the target
    type Properties = dict[str, Any]

_BATCH = 1000  # rows of one write, which keeps readers of the server waiting for 0.05 s
_READ_MS = 10_000

_NODES = "MATCH (n:{label}) RETURN n.id, properties(n)"
_EDGES = (
    f"MATCH (a)-[e:{{type}}]->(b) RETURN labels(a)[0], a.id, CASE WHEN b:{GONE} THEN b.was ELSE labels(b)[0] END, "
    f"CASE WHEN b:{FILE} THEN b.path ELSE b.id END, properties(e)"
)
_PUT_NODES = "UNWIND $rows AS row MERGE (n:{label} {{id: row[0]}}) SET n = row[1]"
_CUT_NODES = "UNWIND $rows AS id MATCH (n:{label} {{id: id}}) DETACH DELETE n"
_PUT_GONE = f"UNWIND $rows AS id MERGE (g:{GONE} {{{{id: id, was: '{{label}}'}}}})"
_PUT_EDGES = (
    "UNWIND $rows AS row MATCH (a:{source} {{id: row[0]}}) MATCH (b:{target} {{{key}: row[1]{more}}}) "
    "CREATE (a)-[e:{type}]->(b) SET e = row[2]"
)
_CUT_EDGES = "UNWIND $rows AS row MATCH (a:{source} {{id: row[0]}})-[e:{type}]->(b) WHERE {there} DELETE e"


class Activity(Value):
    """The activity part of a graph: properties of nodes, and of the edges between two nodes, by key."""

    nodes: dict[NodeKey, Properties]
    edges: dict[EdgeKey, list[Properties]]


EMPTY = Activity({}, {})


def read_activity(graph: Graph) -> Activity:
    """All activity of a graph; empty where the graph is missing."""
    nodes: dict[NodeKey, Properties] = {}
    edges: dict[EdgeKey, list[Properties]] = {}
    try:
        for label in ACTIVITY_NODES:
            for name, properties in graph.read(_NODES.format(label=label), timeout_ms=_READ_MS):
                nodes[label, name] = properties
        for edge_type in ACTIVITY_EDGES:
            for *ends, properties in graph.read(_EDGES.format(type=edge_type), timeout_ms=_READ_MS):
                edges.setdefault((edge_type, *ends), []).append(properties)
    except NotIndexed:
        return EMPTY
    return Activity(nodes, edges)


def copy_activity(old: Graph, new: Graph, copied: Activity = EMPTY) -> Activity:
    """Bring the activity in `new` from what an earlier call `copied` to what `old` has now; returns the latter.

    A repeated call so writes only what changed in between.
    """
    if copied is EMPTY:
        make_activity_indexes(new)  # also for the activity that is still to come
    wanted = read_activity(old)
    if wanted == copied:
        return wanted
    _move_nodes(new, copied, wanted)
    changed = [key for key, found in wanted.edges.items() if copied.edges.get(key) != found]
    lost = [key for key in copied.edges if key not in wanted.edges]
    stale = [key for key in changed if key in copied.edges]
    _cut_edges(new, [*lost, *stale])
    _put_edges(new, wanted, changed)
    return wanted


def make_activity_indexes(graph: Graph) -> None:
    """Make the indexes of the activity part where they are missing."""
    for reply in graph.connection.pipeline([graph.command(query) for query in activity_index_queries()]):
        if isinstance(reply, StoreError) and "already indexed" not in reply.message:
            raise reply


def _move_nodes(new: Graph, copied: Activity, wanted: Activity) -> None:
    for label in ACTIVITY_NODES:
        put = [
            [key[1], found] for key, found in wanted.nodes.items() if key[0] == label and copied.nodes.get(key) != found
        ]
        cut = [key[1] for key in copied.nodes if key[0] == label and key not in wanted.nodes]
        _write(new, _CUT_NODES.format(label=label), cut)
        _write(new, _PUT_NODES.format(label=label), put)


def _cut_edges(new: Graph, keys: list[EdgeKey]) -> None:
    for (edge_type, source, target), group in _grouped(keys):
        there = f"b.id = row[1] OR (b:{FILE} AND b.path = row[1])" if target in ANCHORS else "b.id = row[1]"
        rows = [[key[2], key[4]] for key in group]
        _write(new, _CUT_EDGES.format(source=source, type=edge_type, there=there), rows)


def _put_edges(new: Graph, wanted: Activity, keys: list[EdgeKey]) -> None:
    """Create edges; those to places that are not in the code go to a Gone node."""
    for (edge_type, source, target), group in _grouped(keys):
        rows = [[key[2], key[4], properties] for key in group for properties in wanted.edges[key]]
        place = ANCHORS.get(target, "id")
        _write(new, _PUT_EDGES.format(source=source, target=target, key=place, more="", type=edge_type), rows)
        if target in ANCHORS:
            gone = _missing(new, target, {key[4] for key in group})
            _write(new, _PUT_GONE.format(label=target), sorted(gone))
            more = f", was: '{target}'"
            query = _PUT_EDGES.format(source=source, target=GONE, key="id", more=more, type=edge_type)
            _write(new, query, [row for row in rows if row[1] in gone])


def _missing(graph: Graph, label: str, names: set[str]) -> set[str]:
    """Those of the paths or ids that no node of the label has."""
    key = ANCHORS[label]
    query = f"UNWIND $names AS name MATCH (n:{label} {{{key}: name}}) RETURN name"
    found = graph.read(query, {"names": sorted(names)}, timeout_ms=_READ_MS)
    return names.difference(row[0] for row in found)


def _grouped(keys: Iterable[EdgeKey]) -> Iterator[tuple[tuple[str, str, str], list[EdgeKey]]]:
    """The keys by type and labels of both ends, which a query cannot take as parameters."""
    groups: dict[tuple[str, str, str], list[EdgeKey]] = {}
    for key in keys:
        groups.setdefault((key[0], key[1], key[3]), []).append(key)
    yield from groups.items()


def _write(graph: Graph, query: str, rows: list[Any]) -> None:
    for start in range(0, len(rows), _BATCH):
        graph.write(query, {"rows": rows[start : start + _BATCH]})
