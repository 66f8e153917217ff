"""Queries that somebody typed: what may be sent, what may not, and that no spelling changes that."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from engram.errors import NotIndexed, QueryRefused, QueryTimedOut, StoreError
from engram.store.graph import Graph
from engram.store.guard import ALLOWED_PROCEDURES, check_query, run_query
from engram.store.wire import Connection

LOAD = "LOAD CSV FROM 'file:///x' AS row RETURN row"

REFUSED = [
    LOAD,
    LOAD.lower(),
    "lOaD cSv FROM 'x' AS row RETURN row",
    "LOAD\nCSV FROM 'x' AS row RETURN row",
    "LOAD\r\n\tCSV FROM 'x' AS row RETURN row",
    "LOAD/**/CSV FROM 'x' AS row RETURN row",
    "LOAD // why\nCSV FROM 'x' AS row RETURN row",
    "/* ' */ LOAD CSV FROM 'x' AS row RETURN row // '",
    "/* /* */ LOAD CSV FROM 'x' AS row RETURN row",
    "// ' \n LOAD CSV FROM 'x' AS row RETURN row // '",
    "// \\\n LOAD CSV FROM 'x' AS row RETURN row",
    "// a\r'\nLOAD CSV FROM 'x' AS row RETURN row //'",
    "WITH '\\' AS a, ' AS b LOAD CSV FROM 'x' AS row RETURN row //'",
    "WITH '\\'' AS a LOAD CSV FROM 'x' AS row RETURN row",
    'WITH "\'" AS a LOAD CSV FROM "\'" AS row RETURN row',
    "WITH 1 AS `'` LOAD CSV FROM 'x' AS `'` RETURN 1",
    "WITH 1 AS n LIMIT 1LOAD CSV FROM 'x' AS row RETURN row",
    "MATCH (n) CALL { LOAD CSV FROM 'x' AS row RETURN row } RETURN row",
    "RETURN 1 AS row UNION LOAD CSV FROM 'x' AS row RETURN row",
    "EXPLAIN LOAD CSV FROM 'x' AS row RETURN row",
    "PROFILE LOAD CSV WITH HEADERS FROM 'x' AS row RETURN row",
    "CYPHER a=1 LOAD CSV FROM 'x' AS row RETURN row",
    "cypher a='' RETURN $a",
    "CALL db.idx.fulltext.createNodeIndex('File', 'path')",
    "CALL db . idx /**/ . fulltext . drop('File')",
    "CALL `db.idx.fulltext.drop`('File')",
    "CALL `db`.`idx`.fulltext.`drop`('File')",
    "CALL//x\nDB.IDX.FULLTEXT.DROP('File')",
    "CALL apoc.load.json('http://127.0.0.1')",
    "CALL something('else')",
    "CALL dbms.something",
    "MATCH (n) RETURN n LIMIT 1CALL db.nothing()",
    "RETURN 'no end",
    'RETURN "no end\\"',
    "RETURN `no end",
    "RETURN 1 /* no end",
    "/*/ LOAD CSV FROM 'x' AS row RETURN row",
    "RETURN 1 // x\rAS a",
    "RETURN\x0b1",
    "RETURN 1 AS `two\nlines`",
    "RETURN '\x00'",
    "",
    "  // nothing\n /* at all */",
    "RETURN 1" + " " * 100_000,
]

SENT = {
    "RETURN 'LOAD CSV FROM x' AS a": [["LOAD CSV FROM x"]],
    'RETURN "it\'s // LOAD CSV /*" AS a': [["it's // LOAD CSV /*"]],
    "RETURN 'a\\\\' AS a // LOAD CSV": [["a\\"]],
    "/* LOAD CSV FROM 'x' */ RETURN 1 AS a": [[1]],
    "RETURN 1 AS `LOAD CSV`": [[1]],
    "RETURN 1 AS load": [[1]],
    "MATCH (load:File) RETURN load.path": [["a.py"]],
    "MATCH (call:File) WHERE call.path = 'a.py' RETURN call.path": [["a.py"]],
    "MATCH (call:File) WITH call AS call, call.path AS csv RETURN csv ORDER BY call": [["a.py"]],
    "RETURN {load: 1, call: 'x'}.call AS a": [["x"]],
    "CALL db.labels()": [["File"]],
    "call DB.Labels() YIELD label RETURN label": [["File"]],
    "MATCH (n) WITH * CALL db.labels() YIELD label RETURN label": [["File"]],
    "CALL `db`./**/`labels`() YIELD label RETURN label": [["File"]],
    "CALL { MATCH (n:File) RETURN n.path AS p } RETURN p": [["a.py"]],
    "RETURN 1\r\n  AS a": [[1]],
    "RETURN 'two\nlines' AS a": [["two\nlines"]],
    'RETURN "two\r\nlines" AS a': [["two\r\nlines"]],
    "RETURN 'back\\\\\nslash' AS a": [["back\\\nslash"]],
    "RETURN 'back\\\nslash' AS a": [["back\\\nslash"]],
    "RETURN '\\'\n\\n' AS a": [["'\n\n"]],
}


@pytest.fixture
def graph(connection: Connection) -> Graph:
    graph = Graph(connection, "guarded")
    graph.write("MERGE (f:File {path: 'a.py'}) MERGE (f)-[:IMPORTS {line: 3}]->(f)")
    return graph


@pytest.mark.parametrize("query", REFUSED)
def test_what_might_do_more_than_read_the_graph_is_not_sent(query: str) -> None:
    with pytest.raises(QueryRefused):
        check_query(query)


@pytest.mark.parametrize("query", SENT)
def test_a_read_is_sent_however_it_looks(graph: Graph, query: str) -> None:
    assert run_query(graph, query, limit=10).rows == SENT[query]


@pytest.mark.parametrize("query", ["CREATE (n)", "MATCH (n) SET n.x = 1", "MERGE (n:X)", "MATCH (n) DETACH DELETE n"])
def test_the_engine_refuses_writes(graph: Graph, query: str) -> None:
    with pytest.raises(StoreError, match="read-only"):
        run_query(graph, query, limit=10)
    assert graph.read("MATCH (n) RETURN count(n)") == [[1]]


FIXTURE_IS_SHARED = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=300
)
noise = st.text(st.sampled_from("'\"`\\/*\n\r \t1a_."), max_size=12)


@FIXTURE_IS_SHARED
@given(noise, noise)
@example("// a\r'", "")
def test_whatever_stands_around_load_csv_it_is_refused_or_inert(
    connection: Connection, before: str, after: str
) -> None:
    """The engine is the judge: a text that passes may fail or answer, but never reaches for the file."""
    query = f"{before}\nLOAD CSV FROM 'file:///no-such-file' AS r {after} RETURN r"
    try:
        permitted = check_query(query)
    except QueryRefused:
        return
    reply = connection.pipeline([Graph(connection, "guarded").read_command(permitted)])[0]
    assert "CSV URI" not in str(reply)


@pytest.mark.parametrize(
    "query",
    ["x/*\n*/yz", "MATCH (n) RETRUN n /* two\nlines */ LIMIT 5", "x '/*\n*/'yz", 'x "/*\r\n*/"yz', "x//\n/*\n\n*/ yz"],
)
def test_a_syntax_error_before_a_long_comment_does_not_end_the_server(graph: Graph, query: str) -> None:
    before = graph.connection.call("INFO", "server").partition(b"process_id:")[2].split()[0]
    with pytest.raises(StoreError, match="Invalid input"):
        run_query(graph, query, limit=1)
    assert graph.connection.call("INFO", "server").partition(b"process_id:")[2].split()[0] == before


def test_comments_are_not_sent_and_what_looks_like_one_is() -> None:
    query = "MATCH (n) // all\nRETURN '/* text */' AS `//name`/* the\nend */, \"//\" AS b"
    assert check_query(query) == "MATCH (n)   RETURN '/* text */' AS `//name` , \"//\" AS b"


def test_the_list_of_procedures_is_what_the_engine_calls_reading(graph: Graph) -> None:
    listed = graph.read("CALL dbms.procedures() YIELD name, mode RETURN name, mode")
    assert {name.lower() for name, mode in listed if mode == "READ"} == ALLOWED_PROCEDURES


def test_rows_beyond_the_limit_are_cut_and_that_is_said(graph: Graph) -> None:
    query = "UNWIND range(1, 5) AS x RETURN x ORDER BY x"
    assert run_query(graph, query, limit=3).astuple() == (("x",), [[1], [2], [3]], True)
    assert run_query(graph, query, limit=5).astuple() == (("x",), [[1], [2], [3], [4], [5]], False)


def test_a_query_that_takes_too_long_is_ended(graph: Graph) -> None:
    query = "UNWIND range(1, 3000) AS x UNWIND range(1, 3000) AS y WITH x, y WHERE x * y = -1 RETURN count(*)"
    with pytest.raises(QueryTimedOut):
        run_query(graph, query, limit=1, timeout_ms=20)


def test_an_answer_that_is_too_large_is_not_read_to_its_end(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engram.store.guard._MAX_BYTES", 1 << 20)
    with pytest.raises(StoreError, match="more than 1 MB"):
        run_query(graph, "UNWIND range(1, 200000) AS x RETURN x", limit=1)


def test_nodes_edges_and_paths_are_shown_whole(graph: Graph) -> None:
    node = {"labels": ["File"], "properties": {"path": "a.py"}}
    [[found, edge, path]] = run_query(graph, "MATCH p=(f)-[e:IMPORTS]->() RETURN f, e, p", limit=1).rows
    assert found == node
    assert (edge["type"], edge["properties"]) == ("IMPORTS", {"line": 3})
    assert path == {"nodes": [node, node], "edges": [edge]}


def test_a_checkout_without_index_is_told_so(connection: Connection) -> None:
    with pytest.raises(NotIndexed):
        run_query(Graph(connection, "no such graph"), "RETURN 1", limit=1)
