"""engram doctor: what works, what does not, and what to do about it."""

from __future__ import annotations

import json
import os
import subprocess
import time
from pathlib import Path

import pytest

from engram.cli.main import main
from engram.config import Config
from engram.doctor import Check, examine
from engram.store.graph import Graph
from engram.store.keys import graph_keys
from engram.store.state import IndexState, state_commands
from engram.store.wire import Connection
from engram.worktree import find_worktree


def checks_of(folder: Path, **changes: str) -> dict[str, Check]:
    return {check.name: check for check in examine(str(folder), {**os.environ, **changes})}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "-q", tmp_path / "repository"], check=True)
    return tmp_path / "repository"


def index_of(connection: Connection, config: Config, folder: Path, *, seconds_ago: float) -> None:
    """Write an index of one file that last changed so long ago."""
    keys = graph_keys(config, find_worktree(str(folder)))
    Graph(connection, keys.graph).write("CREATE (:File {path: 'a.py'})")
    state = IndexState("1", int((time.time() - seconds_ago) * 1000), str(folder))
    connection.pipeline(state_commands(keys, state))


def test_all_is_well(server: Config, connection: Connection, repository: Path, capsys: pytest.CaptureFixture[str]):
    index_of(connection, server, repository, seconds_ago=7_201)
    assert main(["doctor", "--repo", str(repository)]) == 0
    printed = capsys.readouterr().out
    assert "ok    index          1 files, last changed 2 hours ago" in printed
    assert "FAIL" not in printed
    assert main(["doctor", "--json", "--repo", str(repository)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["ok"]
    assert [check["state"] for check in found["checks"]] == ["ok"] * 10


def test_what_is_missing_comes_with_what_to_do(server: Config, repository: Path):
    found = checks_of(repository, ENGRAM_TYPO="1")
    assert (found["index"].state, found["index"].hint) == ("warning", "run `engram index`")
    assert (found["settings"].state, found["settings"].found) == ("warning", "unknown variables: ENGRAM_TYPO")


def test_an_old_index_is_noted(server: Config, connection: Connection, repository: Path):
    index_of(connection, server, repository, seconds_ago=9 * 86_400)
    assert checks_of(repository)["index"].found == "1 files, last changed 9 days ago"
    assert checks_of(repository)["index"].state == "warning"


def test_a_value_that_cannot_be_used_is_all_that_is_said(repository: Path):
    found = checks_of(repository, ENGRAM_WORKERS="many")
    assert [check.state for check in found.values()] == ["failed"]
    assert "ENGRAM_WORKERS" in found["settings"].found


def test_a_remote_server_that_does_not_answer_fails_without_its_password(repository: Path):
    found = checks_of(repository, ENGRAM_FALKORDB_URL="redis://:secret-word@127.0.0.1:1/")
    assert found["server"].state == "failed"
    assert found["engine"].state == "ok"
    assert "secret-word" not in repr(found)


def test_a_socket_folder_that_others_can_enter_is_refused(
    engram_home: str, repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    short = Path(engram_home) / "run"
    (short / f"engram-{os.getuid()}").mkdir(parents=True)
    (short / f"engram-{os.getuid()}").chmod(0o777)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(short))
    found = checks_of(repository)
    assert (found["socket folder"].state, found["server"].state) == ("failed", "failed")
    assert "is open to other users (mode 777)" in found["socket folder"].found
    assert found["socket folder"].hint


@pytest.mark.parametrize("state", ["link", "tracked"])
def test_a_state_folder_that_the_checkout_brought_is_refused(server: Config, repository: Path, state: str):
    if state == "link":
        (repository / ".engram").symlink_to("/tmp")
    else:
        (repository / ".engram").mkdir()
        (repository / ".engram" / "journal.jsonl").write_text("{}\n")
        subprocess.run(["git", "-C", repository, "add", "-f", ".engram"], check=True)
    found = checks_of(repository)["repository"]
    assert found.state == "failed"
    assert ".engram" in found.found
    assert found.hint


def test_a_folder_without_git_is_noted(server: Config, tmp_path: Path):
    (tmp_path / "plain").mkdir()
    assert checks_of(tmp_path / "plain")["repository"].state == "warning"


def test_a_folder_that_is_not_there_is_an_error(server: Config, tmp_path: Path):
    found = checks_of(tmp_path / "nowhere")
    assert found["repository"].state == "failed"
    assert found["index"].state == "failed"
