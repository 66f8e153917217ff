"""`engram history`, and how an index has the git history read in the background."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engram.config import Config
from engram.store.wire import Connection
from tests.cli.test_graph import engram
from tests.history.repository import Repository
from tests.patience import wait_until


@pytest.fixture
def repository(tmp_path: Path, connection: Connection, server: Config) -> Repository:
    """Two files that changed together twice, and a subject that would colour a terminal."""
    made = Repository(tmp_path / "repo", connection, server)
    made.commit("first", {"a.py": "x = 1\n", "pack/b.py": "x = 1\n"})
    made.commit("\x1b[31mred", {"a.py": "x = 2\n", "pack/b.py": "x = 2\n"}, author=("Bob", "bob@example.org"))
    made.commit("alone", {"a.py": "x = 3\n"})
    return made


def test_the_history_of_a_file(server, repository):
    text = engram(server, repository.root, "history", "a.py").stdout
    assert text.splitlines()[:4] == ["a.py: 3 commits", "authors:", "   67%  Ann", "   33%  Bob"]
    assert "2020-09-13 ?[31mred" in text
    assert text.splitlines()[-1] == "     2    2.00  pack/b.py"
    found = json.loads(engram(server, repository.root / "pack", "history", "b.py", "--json", "--limit", "1").stdout)
    assert found["file"] == "pack/b.py"
    assert found["authors"] == [
        {"name": "Bob", "email": "bob@example.org", "commits": 1, "share": 0.5, "last": found["last"][0]["at"]}
    ]
    [last] = found["last"]
    assert (last["subject"], last["files"], last["authors"]) == ("\x1b[31mred", 2, ["Bob"])
    assert found["coChanges"] == [{"path": "a.py", "count": 2, "weight": 2.0}]
    assert found["history"] == {"commits": 3, "complete": True, "failure": ""}


def test_how_far_it_is(server, repository):
    assert engram(server, repository.root, "index").stdout.splitlines()[-1] == "history: no commits are read yet"
    assert engram(server, repository.root, "history").stdout == "history: 3 commits\n"
    assert json.loads(engram(server, repository.root, "index", "--json").stdout)["history"]["commits"] == 3


@pytest.mark.parametrize(("args", "code"), [(["none.py"], 1), (["--limit", "0"], 1), (["--nonsense"], 2)])
def test_what_cannot_be_answered(server, repository, args, code):
    assert engram(server, repository.root, "history", *args).returncode == code


def test_an_index_has_it_read_in_the_background_and_so_has_the_next_after_a_commit(server, repository):
    def commits() -> int:
        found = json.loads(engram(server, repository.root, "index", "--json").stdout)
        return int(found["history"]["commits"])

    assert engram(server, repository.root, "index", ENGRAM_REFINE="1").returncode == 0
    wait_until(lambda: commits() == 3, "the history is read after the first index")
    wait_until(lambda: not repository.connection.call("EXISTS", repository.keys.side("history-started")), "all is read")
    repository.commit("more", {"notes.txt": "nothing that is indexed\n"})
    assert engram(server, repository.root, "index", ENGRAM_REFINE="1").stdout.startswith("up to date")
    wait_until(lambda: commits() == 4, "the commit is read although no file has changed")


def test_a_setting_switches_the_background_off(server, repository):
    engram(server, repository.root, "index", ENGRAM_REFINE="0")
    assert repository.contents()["commits"] == []
    assert not repository.is_current()
    assert "history: 3 commits" in engram(server, repository.root, "refine").stdout
    assert repository.is_current()
