"""The binary load makes the same graph as Cypher does."""

from __future__ import annotations

import struct
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engram.errors import StoreError
from engram.store.bulk import load_bulk, pack_edges, pack_nodes
from engram.store.graph import Graph
from engram.store.schema import INDEXES, index_queries
from engram.store.wire import Connection

texts = st.text(st.characters(exclude_characters="\x00"), max_size=20)
numbers = st.integers(-(1 << 63), (1 << 63) - 1)
properties = st.one_of(st.none(), st.booleans(), numbers, texts, st.lists(texts, max_size=3), st.just(0.25))
nodes = st.lists(st.lists(properties, min_size=2, max_size=2), min_size=1, max_size=8)

EVERYTHING = """
MATCH (n:Made) OPTIONAL MATCH (n)-[e:LEADS_TO]->(m)
RETURN n.number, n.a, n.b, e.line, e.note, m.number ORDER BY n.number, m.number, e.line
"""


def _by_bulk(connection: Connection, rows: list[list[Any]], edges: list[list[Any]]) -> Graph:
    graph = Graph(connection, "bulk:binary")
    connection.call("DEL", graph.key)
    half = len(rows) // 2
    packed = [(len(part), pack_nodes("Made", ["number", "a", "b"], part)) for part in (rows[:half], rows[half:])]
    load_bulk(connection, graph.key, begin=True, node_blobs=packed[:1], edge_blobs=[])
    load_bulk(connection, graph.key, begin=False, node_blobs=packed[1:], edge_blobs=[])
    blob = pack_edges("LEADS_TO", ["line", "note"], edges)
    load_bulk(connection, graph.key, begin=False, node_blobs=[], edge_blobs=[(len(edges), blob)] if edges else [])
    return graph


def _by_cypher(connection: Connection, rows: list[list[Any]], edges: list[list[Any]]) -> Graph:
    graph = Graph(connection, "bulk:cypher")
    connection.call("DEL", graph.key)
    graph.write("UNWIND $rows AS row CREATE (:Made {number: row[0], a: row[1], b: row[2]})", {"rows": rows})
    for source, target, line, note in edges:
        graph.write(
            "MATCH (s:Made {number: $s}), (t:Made {number: $t}) CREATE (s)-[:LEADS_TO {line: $line, note: $note}]->(t)",
            {"s": source, "t": target, "line": line, "note": note},
        )
    return graph


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=40)
@given(st.data())
def test_bulk_equals_cypher(connection: Connection, data: st.DataObject) -> None:
    rows: list[list[Any]] = [[number, *row] for number, row in enumerate(data.draw(nodes))]
    numbers_of_nodes = st.integers(0, len(rows) - 1)
    edges = data.draw(st.lists(st.tuples(numbers_of_nodes, numbers_of_nodes, st.integers(1, 9), texts), max_size=6))
    as_lists = [list(edge) for edge in edges]
    loaded = _by_bulk(connection, rows, as_lists).read(EVERYTHING)
    assert loaded == _by_cypher(connection, rows, as_lists).read(EVERYTHING)
    assert [row[:1] for row in loaded if row[5] is None] == [[r[0]] for r in rows if r[0] not in {e[0] for e in edges}]


def test_an_existing_graph_is_not_begun_again(connection: Connection) -> None:
    graph = _by_bulk(connection, [[0, "a", "b"], [1, "c", "d"]], [])
    with pytest.raises(StoreError):
        load_bulk(
            connection, graph.key, begin=True, node_blobs=[(1, pack_nodes("Made", ["a"], [["x"]]))], edge_blobs=[]
        )
    assert graph.read("MATCH (n) RETURN count(n)") == [[2]]


def test_an_integer_beyond_64_bits_is_not_cut() -> None:
    with pytest.raises(struct.error):
        pack_nodes("Made", ["a"], [[1 << 63]])


def test_indexes_can_be_made_and_serve_every_property(connection: Connection) -> None:
    graph = _by_bulk(connection, [[0, "a", "b"]], [])
    for query in index_queries():
        graph.write(query)
    listed = graph.read("CALL db.indexes() YIELD label, properties RETURN label, properties")
    assert {(label, name) for label, names in listed for name in names} == set(INDEXES)
