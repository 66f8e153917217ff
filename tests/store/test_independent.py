"""The `falkordb` package, which shares no line with the store, reads what the store wrote, and the other way round."""

from __future__ import annotations

from collections.abc import Iterator

import falkordb
import pytest

from engram.config import Config
from engram.store.address import current_socket, server_address
from engram.store.bulk import load_bulk, pack_edges, pack_nodes
from engram.store.graph import Graph
from engram.store.wire import Connection

VALUES = {
    "text": "a\"b'c\\\n`ü☂",
    "whole": -(1 << 62),
    "part": 0.25,
    "yes": True,
    "list": ["x", 1, ["y"]],
    "map": {"k": 1},
}


@pytest.fixture
def other(server: Config) -> Iterator[falkordb.FalkorDB]:
    client = falkordb.FalkorDB(unix_socket_path=current_socket(server_address(server)))
    yield client
    client.connection.close()


def test_what_bulk_and_cypher_wrote_is_read_by_falkordb(connection: Connection, other: falkordb.FalkorDB) -> None:
    connection.call("DEL", "independent")
    nodes = pack_nodes("File", ["path", "lines", "tags"], [["a.py", 3, ["x", "y"]], ["b.py", 4, None]])
    edges = pack_edges("IMPORTS", ["line", "confidence"], [[0, 1, 7, 0.5]])
    load_bulk(connection, "independent", begin=True, node_blobs=[(2, nodes)], edge_blobs=[(1, edges)])
    Graph(connection, "independent").write("MATCH (f:File {path: 'b.py'}) SET f.text = $text", {"text": VALUES["text"]})
    [[a, edge, b]] = other.select_graph("independent").ro_query("MATCH (a)-[e]->(b) RETURN a, e, b").result_set
    assert (a.labels, a.properties) == (["File"], {"path": "a.py", "lines": 3, "tags": ["x", "y"]})
    assert (edge.relation, edge.properties) == ("IMPORTS", {"line": 7, "confidence": 0.5})
    assert b.properties == {"path": "b.py", "lines": 4, "text": VALUES["text"]}


@pytest.mark.parametrize("name", VALUES)
def test_both_clients_read_the_same_value(connection: Connection, other: falkordb.FalkorDB, name: str) -> None:
    ours = Graph(connection, "independent-values").write("RETURN $value", {"value": VALUES[name]})
    theirs = other.select_graph("independent-values").query("RETURN $value", {"value": VALUES[name]}).result_set
    assert ours == theirs == [[VALUES[name]]]


def test_what_falkordb_wrote_is_read_by_the_store(connection: Connection, other: falkordb.FalkorDB) -> None:
    graph = other.select_graph("independent-theirs")
    graph.query("MERGE (n:Thing {text: $text, list: $list})", {"text": VALUES["text"], "list": VALUES["list"]})
    rows = Graph(connection, "independent-theirs").read("MATCH (n:Thing) RETURN n.text, n.list")
    assert rows == [[VALUES["text"], VALUES["list"]]]
