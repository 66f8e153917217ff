"""`engram export calls` prints the edges of the graph."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from engram.cli.main import main
from engram.config import Config
from engram.store.graph import Graph
from engram.store.keys import graph_keys
from engram.store.server import open_connection
from engram.worktree import find_worktree


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True, timeout=300)
    return tmp_path


def test_calls_are_printed_one_a_line(server: Config, checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    keys = graph_keys(server, find_worktree(str(checkout)))
    with open_connection(server) as connection:
        Graph(connection, keys.graph).write(
            "CREATE (a:Symbol {path: 'b.py', qualname: 'run'}), (b:Symbol {path: 'a.py', qualname: 'A.é'}), "
            "(a)-[:CALLS {line: 3, confidence: 0.99}]->(b), (b)-[:CALLS {line: 9, confidence: 0.5}]->(a)"
        )
    assert main(["export", "calls", "--repo", str(checkout)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [json.loads(line) for line in lines] == [
        {"caller": ["a.py", "A.é"], "callee": ["b.py", "run"], "line": 9, "confidence": 0.5},
        {"caller": ["b.py", "run"], "callee": ["a.py", "A.é"], "line": 3, "confidence": 0.99},
    ]


def test_a_checkout_that_was_never_indexed_is_an_error(
    server: Config, checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", "calls", "--repo", str(checkout)]) == 1
    assert "index" in capsys.readouterr().err
