"""engram uninstall: stops the server, and removes what engram made and nothing else."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from engram.cli.main import main
from engram.config import load_config
from engram.journal.folder import make_state
from engram.store.address import current_socket, server_address
from engram.store.catalog import note_used
from engram.store.keys import graph_keys
from engram.store.server import open_connection
from engram.store.status import server_status
from engram.worktree import find_worktree


@pytest.fixture(autouse=True)
def _home_to_remove(engram_home: str) -> Iterator[None]:
    yield
    Path(engram_home).mkdir(exist_ok=True)  # the fixture that made it removes it


@pytest.fixture
def checkouts(engram_home: str, tmp_path: Path) -> list[Path]:
    """Two checkouts with an `.engram` each that the running server knows, and a plain home around them."""
    folders = [tmp_path / name for name in ("one", "two")]
    config = load_config()
    with open_connection(config) as connection:
        for folder in folders:
            subprocess.run(["git", "init", "-q", folder], check=True)
            make_state(str(folder)).close()
            (folder / "kept.py").write_text("x = 1\n")
            note_used(connection, config, graph_keys(config, find_worktree(str(folder))), str(folder))
    return folders


def everything_below(*folders: Path) -> list[str]:
    return sorted(str(path) for folder in folders for path in folder.rglob("*"))


def test_without_purge_the_server_stops_and_all_is_listed(
    checkouts: list[Path], engram_home: str, capsys: pytest.CaptureFixture[str]
):
    config = load_config()
    socket = Path(current_socket(server_address(config)))
    assert socket.exists()
    before = everything_below(*checkouts)
    assert main(["uninstall", "--json", "--repo", str(checkouts[0])]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["stopped"]
    assert not server_status(config).running
    assert not socket.exists()
    assert sorted(found["states"]) == [str(folder / ".engram") for folder in checkouts]
    assert sorted(found["home"]) == [f"{engram_home}/machine", f"{engram_home}/server"]
    assert everything_below(*checkouts) == before


def test_purge_removes_what_is_engrams_and_nothing_else(
    checkouts: list[Path], engram_home: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    stranger = Path(engram_home) / "somebody else's.txt"
    stranger.write_text("here before engram\n")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "precious").write_text("not engram's\n")
    (checkouts[0] / ".engram" / "link").symlink_to(outside)
    (Path(engram_home) / "env").symlink_to(outside)
    assert main(["uninstall", "--purge", "--repo", str(tmp_path / "nowhere")]) == 0
    printed = capsys.readouterr().out
    assert everything_below(Path(engram_home)) == [str(stranger)]
    assert f"not made by engram, left alone:\n  {stranger}" in printed
    assert (outside / "precious").exists()
    for folder in checkouts:
        assert sorted(path.name for path in folder.iterdir()) == [".git", "kept.py"]


def test_purge_removes_an_empty_home(engram_home: str, tmp_path: Path):
    (Path(engram_home) / "machine").write_text("0123456789ab")
    assert main(["uninstall", "--purge", "--repo", str(tmp_path)]) == 0
    assert not Path(engram_home).exists()
    assert main(["uninstall", "--purge", "--repo", str(tmp_path)]) == 0


def test_a_state_folder_that_the_checkout_brought_is_not_touched(engram_home: str, tmp_path: Path):
    repository = tmp_path / "hostile"
    subprocess.run(["git", "init", "-q", repository], check=True)
    (repository / ".engram").symlink_to(tmp_path)
    (tmp_path / "precious").write_text("not engram's\n")
    assert main(["uninstall", "--purge", "--repo", str(repository)]) == 0
    assert (repository / ".engram").is_symlink()
    assert (tmp_path / "precious").exists()


def test_a_remote_server_is_left_as_it_is(
    engram_home: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("ENGRAM_FALKORDB_URL", "redis://127.0.0.1:1/")
    assert main(["uninstall", "--repo", str(tmp_path)]) == 0
    assert "the server of ENGRAM_FALKORDB_URL is left as it is" in capsys.readouterr().out
