"""`engram query` as a person runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from engram.config import Config
from engram.store.graph import Graph
from engram.store.keys import graph_keys
from engram.store.wire import Connection
from engram.worktree import Worktree

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


@pytest.fixture
def checkout(connection: Connection, server: Config, tmp_path: Path) -> Path:
    graph = Graph(connection, graph_keys(server, Worktree(str(tmp_path))).graph)
    graph.write("UNWIND range(1, 5) AS n CREATE (:File {path: 'a' + n, lines: n, rank: n / 2.0, note: 'x\ty'})")
    (tmp_path / ".engram").mkdir()
    return tmp_path


def _query(*args: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "engram", "query", *args]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, env={**os.environ, "PYTHONPATH": ROOT})


def test_rows_as_text(checkout: Path) -> None:
    ran = _query("MATCH (f:File) RETURN f.path AS path, f.rank, f.note ORDER BY path LIMIT 2", cwd=checkout)
    assert ran.stdout == 'path\tf.rank\tf.note\na1\t0.5\t"x\\ty"\na2\t1.0\t"x\\ty"\n'
    assert ran.returncode == 0


def test_rows_as_json_say_that_they_were_cut(checkout: Path) -> None:
    query = "MATCH (f:File) RETURN f.lines ORDER BY f.lines"
    assert json.loads(_query(query, "--json", "--limit", "2", cwd=checkout).stdout) == {
        "columns": ["f.lines"],
        "rows": [[1], [2]],
        "truncated": True,
    }
    assert not json.loads(_query(query, "--json", "--limit", "5", cwd=checkout).stdout)["truncated"]
    assert _query(query, "--limit", "2", cwd=checkout).stdout.endswith("... cut after 2 rows; --limit shows more\n")


def test_numbers_that_json_does_not_know_have_names(checkout: Path) -> None:
    ran = _query("RETURN 1.0 / 0.0 AS number", "--json", cwd=checkout)
    assert json.loads(ran.stdout)["rows"] == [["inf"]]


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        (["LOAD CSV FROM 'file:///x' AS row RETURN row"], 1, "LOAD CSV"),
        (["CREATE (n)"], 1, "read-only"),
        (["THIS IS NO CYPHER"], 1, "Invalid input"),
        (["RETURN 1", "--limit", "0"], 2, "outside of 1 to"),
        (["RETURN 1", "--limit", "many"], 2, "--limit"),
        ([], 2, "required"),
        (["RETURN 1", "--repo", "/no/such/folder"], 1, "is not a folder"),
    ],
)
def test_what_is_wrong_is_said(checkout: Path, args: list[str], code: int, words: str) -> None:
    ran = _query(*args, cwd=checkout)
    assert (ran.returncode, ran.stdout) == (code, "")
    assert words in ran.stderr
    assert "Traceback" not in ran.stderr


def test_a_checkout_without_index(server: Config, tmp_path: Path) -> None:
    ran = _query("RETURN 1", cwd=tmp_path)
    assert ran.returncode == 1
    assert "not indexed yet" in ran.stderr
