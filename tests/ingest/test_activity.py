"""What agents did outlives the code it was done to, through updates and rebuilds, and returns to it."""

from __future__ import annotations

import pytest

from engram.store.keys import graph_keys
from engram.store.swap import write_activity
from engram.worktree import find_worktree
from tests.ingest.checkout import Checkout

SEEN = (
    "MATCH (f:File {path: 'a.py'}) MATCH (s:Symbol {id: 'a.py#good'}) "
    "CREATE (n:Session {id: 's1'})-[:READ {count: 3, at: 7}]->(f), (n)-[:EDITED {count: 1, at: 8}]->(f), "
    "(n)-[:LEARNED]->(l:Lesson {id: 'l1'})-[:ABOUT]->(s)"
)
WHERE = (
    "MATCH (a)-[e]->(b) WHERE type(e) IN ['READ', 'EDITED', 'ABOUT'] "
    "RETURN a.id, type(e), labels(b)[0], coalesce(b.path, b.id), e.count, e.at ORDER BY type(e)"
)
AT_THE_CODE = [
    ["l1", "ABOUT", "Symbol", "a.py", None, None],
    ["s1", "EDITED", "File", "a.py", 1, 8],
    ["s1", "READ", "File", "a.py", 3, 7],
]
GONE = [
    ["l1", "ABOUT", "Gone", "a.py#good", None, None],
    ["s1", "EDITED", "Gone", "a.py", 1, 8],
    ["s1", "READ", "Gone", "a.py", 3, 7],
]


@pytest.fixture
def seen(checkout: Checkout) -> Checkout:
    """A repository with one session's activity."""
    checkout.write("a.py", "def good():\n    return 1\n")
    checkout.write("b.py", "x = 1\n")
    checkout.sync()
    keys = graph_keys(checkout.config, find_worktree(str(checkout.root)))
    write_activity(checkout.connection, keys, [checkout.graph.command(SEEN)])
    assert checkout.rows(WHERE) == AT_THE_CODE
    return checkout


@pytest.mark.parametrize("rebuild", [False, True])
def test_activity_outlives_its_file_and_returns_with_it(seen, rebuild):
    seen.remove("a.py")
    seen.sync(rebuild=rebuild)
    assert seen.rows(WHERE) == GONE
    seen.write("a.py", "def good():\n    return 2\n")
    seen.sync(rebuild=rebuild)
    assert seen.rows(WHERE) == AT_THE_CODE
    assert seen.rows("MATCH (g:Gone) RETURN count(g)") == [[0]]


@pytest.mark.parametrize("rebuild", [False, True])
def test_activity_stays_where_the_code_stays(seen, rebuild):
    seen.write("a.py", "import b\n\n\ndef good():\n    return b.x\n")
    seen.sync(rebuild=rebuild)
    assert seen.rows(WHERE) == AT_THE_CODE


def test_a_lesson_outlives_its_function(seen):
    seen.write("a.py", "def better():\n    return 1\n")
    seen.sync()
    assert seen.rows(WHERE) == [GONE[0], *AT_THE_CODE[1:]]
    seen.write("a.py", "def good():\n    return 1\n")
    seen.sync()
    assert seen.rows(WHERE) == AT_THE_CODE
