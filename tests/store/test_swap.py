"""A rebuilt graph takes the place of the old one, and what agents did in the meantime is in it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from engram.config import Config
from engram.errors import IndexBusy, StoreError
from engram.store.carry import read_activity
from engram.store.graph import Graph
from engram.store.keys import graph_keys
from engram.store.lock import acquire_lock
from engram.store.schema import Keys
from engram.store.swap import swap_in, write_activity
from engram.store.wire import Connection
from engram.worktree import Worktree
from tests.patience import LIMIT_S

WRITER = """
import select, sys
from engram.config import load_config
from engram.store.graph import Graph
from engram.store.schema import Keys
from engram.store.server import open_connection
from engram.store.swap import write_activity
base, name = sys.argv[1:]
connection = open_connection(load_config())
graph, keys = Graph(connection, base), Keys(base)
QUERY = ('MERGE (s:Session {id: $id}) MERGE (f:File {path: "a.py"}) '
         'MERGE (s)-[e:EDITED {n: $n}]->(f) SET s.last = $n')
print("ready", flush=True)
acknowledged = 0
while not select.select([sys.stdin], [], [], 0)[0]:
    write_activity(connection, keys, [graph.command(QUERY, {"id": name, "n": acknowledged})])
    acknowledged += 1
print(acknowledged, flush=True)
"""


@pytest.fixture
def keys(server: Config, tmp_path: Path) -> Keys:
    return graph_keys(server, Worktree(str(tmp_path)))


def _build(connection: Connection, keys: Keys, *paths: str, generation: int = 0) -> None:
    """A rebuilt graph of these files, each with one symbol."""
    new = Graph(connection, keys.new)
    new.write("CREATE INDEX FOR (n:File) ON (n.path)")
    new.write(
        "UNWIND $paths AS path CREATE (:File {path: path, generation: $generation})"
        "-[:DEFINES]->(:Symbol {id: path + '#f'})",
        {"paths": list(paths), "generation": generation},
    )


ACTIVITY = """
CREATE (a:Agent {id: 'agent', name: 'Zoë "quoted"'})-[:RAN]->(s:Session {id: 's1', at: 17})
WITH s MATCH (f:File {path: 'a.py'})-[:DEFINES]->(g:Symbol)
CREATE (s)-[:READ {count: 2, at: 18}]->(f), (s)-[:CLAIMS {since: 19}]->(f), (s)-[:LEARNED]->(l:Lesson {id: 'l1'}),
       (l)-[:ABOUT]->(g), (s)-[:DECIDED]->(d:Decision {id: 'd2', tags: ['x', 'y']}),
       (d)-[:SUPERSEDES]->(:Decision {id: 'd1'}), (s)-[:RAN_COMMAND]->(:Run {id: 'r', failed: true})
"""


def test_activity_survives_a_rebuild_unchanged(connection: Connection, keys: Keys) -> None:
    graph = Graph(connection, keys.graph)
    _build(connection, keys, "a.py", "b.py")
    assert swap_in(connection, keys, []) == 1
    write_activity(connection, keys, [graph.command(ACTIVITY)])
    before = read_activity(graph)
    assert len(before.nodes) == 6
    assert len(before.edges) == 8
    _build(connection, keys, "a.py", generation=2)
    assert swap_in(connection, keys, []) == 1
    assert read_activity(graph) == before
    assert graph.read("MATCH (f:File) RETURN f.path, f.generation") == [["a.py", 2]]
    claims = "MATCH (s:Session)-[c:CLAIMS]->(f:File)<-[:READ {count: 2}]-(s) RETURN s.id, c.since, f.path"
    assert graph.read(claims) == [["s1", 19, "a.py"]]


def test_activity_at_a_file_that_went_returns_with_the_file(connection: Connection, keys: Keys) -> None:
    graph = Graph(connection, keys.graph)
    _build(connection, keys, "a.py")
    swap_in(connection, keys, [])
    write_activity(connection, keys, [graph.command(ACTIVITY)])
    before = read_activity(graph)
    _build(connection, keys, "b.py")
    swap_in(connection, keys, [])
    assert read_activity(graph) == before
    assert graph.read("MATCH (f:File) RETURN f.path") == [["b.py"]]
    _build(connection, keys, "a.py", "b.py")
    swap_in(connection, keys, [])
    assert read_activity(graph) == before
    assert graph.read("MATCH (n:Gone) RETURN n.id") == []
    assert graph.read("MATCH (:Session)-[:CLAIMS]->(f:File) RETURN f.path") == [["a.py"]]


def test_what_lies_beside_the_graph_is_swapped_with_it(connection: Connection, keys: Keys) -> None:
    _build(connection, keys, "a.py")
    connection.pipeline(
        [("SET", keys.facts, "old"), ("SET", keys.lexical, "old"), ("SET", keys.side_new("facts"), "new")]
    )
    pairs = [(keys.side_new("facts"), keys.facts), (keys.side_new("lexical"), keys.lexical)]
    swap_in(connection, keys, pairs, [("HSET", keys.meta, "version", 1)])
    assert connection.call("GET", keys.facts) == b"new"
    assert connection.call("EXISTS", keys.lexical, keys.side_new("facts"), keys.new) == 0
    assert connection.call("HGET", keys.meta, "version") == b"1"


def test_nothing_built_leaves_everything_as_it_was(connection: Connection, keys: Keys) -> None:
    connection.call("SET", keys.facts, "old")
    with pytest.raises(StoreError, match="no rebuilt graph"):
        swap_in(connection, keys, [(keys.side_new("facts"), keys.facts)])
    assert connection.call("GET", keys.facts) == b"old"


def test_who_lost_the_lock_cannot_swap(connection: Connection, server: Config, keys: Keys) -> None:
    _build(connection, keys, "a.py")
    lock = acquire_lock(connection, server, keys)
    acquire_lock(connection, server, keys, hung_ms=-1)
    with pytest.raises(IndexBusy):
        swap_in(connection, keys, [], watch=[lock.watch])
    assert not Graph(connection, keys.graph).exists()


def test_swaps_lose_no_write_of_two_busy_writers(connection: Connection, keys: Keys) -> None:
    graph = Graph(connection, keys.graph)
    _build(connection, keys, "a.py")
    swap_in(connection, keys, [])
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, keys.base, name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for name in ("one", "two")
    ]
    for writer in writers:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
    tries = []
    while len(tries) < 8 or (max(tries) == 1 and len(tries) < 200):  # until the writers have disturbed a swap
        _build(connection, keys, "a.py", generation=len(tries) + 1)
        tries.append(swap_in(connection, keys, []))
    done = [int(writer.communicate("stop", timeout=LIMIT_S)[0]) for writer in writers]
    assert [writer.returncode for writer in writers] == [0, 0]
    assert max(tries) > 1, "the writers were too slow to disturb any swap"
    for name, acknowledged in zip(("one", "two"), done, strict=True):
        query = "MATCH (s:Session {id: $id})-[e:EDITED]->(:File {path: 'a.py'}) RETURN count(e), max(e.n), s.last"
        assert graph.read(query, {"id": name}, timeout_ms=60_000) == [
            [acknowledged, acknowledged - 1, acknowledged - 1]
        ]
    assert graph.read("MATCH (f:File) RETURN f.generation") == [[len(tries)]]
    assert connection.call("EXISTS", keys.gate) == 0
