"""The questions of a map start from an index: what they cost does not grow with the repository."""

from __future__ import annotations

import time

import pytest

from engram.store import places
from engram.store.cypher import encode
from engram.store.graph import Graph
from engram.store.schema import index_queries
from tests.patience import LIMIT_S

PARAMETERS = {"docs": [1, 2], "seeds": [1, 2], "numbers": [1], "paths": ["a.py"], "least": 0.5, "hub": 40, "most": 300}
QUESTIONS = ("PLACES", "CALLEES", "PATHS", "STATES", "CALLERS", "IMPORTERS")


@pytest.mark.parametrize("question", QUESTIONS)
def test_no_question_looks_at_all_files_or_symbols(connection, question):
    graph = Graph(connection, f"plans-{question}")
    graph.write("CREATE (:File {path: 'a.py', number: 1})-[:DEFINES]->(:Symbol {id: 'a.py#f', doc: 1})")
    for query in index_queries():
        graph.write(query)
    text = encode(PARAMETERS) + getattr(places, question)
    plan, deadline = "", time.monotonic() + LIMIT_S
    while "Index Scan" not in plan and time.monotonic() < deadline:  # the engine fills its indexes by and by
        plan = b"\n".join(connection.call("GRAPH.EXPLAIN", graph.key, text)).decode()
        time.sleep(0.01)
    connection.call("GRAPH.DELETE", graph.key)
    assert "Index Scan" in plan, plan
    assert "Label Scan" not in plan, plan
    assert "All Node Scan" not in plan, plan
