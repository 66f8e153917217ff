"""The life of the server: one per user, whoever starts it, however it ends; what it acknowledged is kept."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from engram.config import Config, load_config
from engram.errors import ServerUnavailable
from engram.store.address import current_socket, server_address
from engram.store.graph import Graph
from engram.store.launch import Engine, Running
from engram.store.server import _free_lock, open_connection, start_supervisor, stop_server
from engram.store.status import parse_info, server_status
from engram.store.supervisor import close_if_idle
from tests.patience import LIMIT_S, wait_until

WRITE = "MERGE (n:Row {name: $name})"
COUNT = "MATCH (n:Row) RETURN count(n)"

STARTER = """
import sys
from engram.config import load_config
from engram.store.graph import Graph
from engram.store.server import open_connection
with open_connection(load_config()) as connection:
    for number in range(20):
        Graph(connection, "rows").write("CREATE (n:Row {name: $name})", {"name": sys.argv[1] + str(number)})
"""


@pytest.fixture
def config(engram_home: str) -> Config:
    return load_config()


def _pid(config: Config) -> int:
    pid = server_status(config).pid
    assert pid > 0, "the server does not run"  # to send a signal to process 0 would end the tests themselves
    return pid


def _add(config: Config, *names: str) -> None:
    with open_connection(config) as connection:
        for name in names:
            Graph(connection, "rows").write(WRITE, {"name": name})


def _count(config: Config) -> int:
    with open_connection(config) as connection:
        [[count]] = Graph(connection, "rows").read(COUNT)
    return int(count)


def _wait_for_supervisor(config: Config) -> None:
    """It connects after the server has begun to answer: until then it cannot know that a socket is gone."""
    with open_connection(config) as connection:
        wait_until(
            lambda: b"connected_clients:2" in connection.call("INFO", "clients"), "the supervisor does not connect"
        )


def _log(config: Config) -> str:
    return Path(server_address(config).log).read_text()


def _starts(config: Config) -> int:
    return _log(config).count("Ready to accept connections")


def _ended(config: Config) -> bool:
    lock = _free_lock(server_address(config))
    if lock is not None:
        os.close(lock)
    return lock is not None


def test_many_starters_at_once_start_one_server_and_lose_nothing(config: Config) -> None:
    starters = [subprocess.Popen([sys.executable, "-c", STARTER, f"{n}-"]) for n in range(12)]
    assert [starter.wait(LIMIT_S) for starter in starters] == [0] * 12
    assert _count(config) == 240
    assert _starts(config) == 1


def test_a_killed_server_has_kept_what_it_acknowledged(config: Config) -> None:
    for turn in range(5):
        _add(config, *[f"{turn}-{number}" for number in range(20)])
        os.kill(_pid(config), signal.SIGKILL)
        assert _count(config) == (turn + 1) * 20
    assert _starts(config) == 6


def test_the_server_outlives_a_killed_supervisor(config: Config) -> None:
    _add(config, "a")
    pid = _pid(config)
    supervisor = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    pages = int(Path(f"/proc/{supervisor}/statm").read_text().split()[1])
    assert pages * os.sysconf("SC_PAGE_SIZE") < 16e6
    os.kill(supervisor, signal.SIGKILL)
    _add(config, "b")
    assert _pid(config) == pid
    assert stop_server(config)
    assert _count(config) == 2


def test_an_idle_server_saves_and_ends_and_a_used_one_does_not(config: Config) -> None:
    short = config.replace(idle_minutes=0.05)
    _add(short, "a")
    _use(short, 4.5)
    wait_until(lambda: _ended(short), "the idle server does not end")
    wait_until(lambda: "exit status 0" in _log(short), "the supervisor does not say how the server ended")
    assert os.path.getsize(os.path.join(config.home, "server", "graph.rdb")) > 0
    assert not os.path.exists(current_socket(server_address(config)))
    assert _count(config) == 1


def _use(config: Config, seconds: float) -> None:
    """Use the server for that long, without a pause of half its idle time: a test that is held up begins again."""
    longest = config.idle_minutes * 60 / 2
    for _ in range(20):
        used = began = time.monotonic()
        assert _count(config) == 1
        starts = _starts(config)
        while used - began < seconds:
            time.sleep(0.2)
            assert _count(config) == 1
            before, used = used, time.monotonic()
            if used - before > longest:
                break
        else:
            assert _starts(config) == starts
            return
    pytest.skip("this machine does not let a test run for some seconds without a pause")


def test_a_server_that_is_about_to_end_is_closed_only_if_nobody_came(config: Config) -> None:
    _add(config, "a")
    _wait_for_supervisor(config)
    pid, address = _pid(config), server_address(config)
    engine = Engine("", "", address.state, current_socket(address))
    with open_connection(config) as connection:

        def done() -> int:
            return int(parse_info(connection.call("INFO", "stats"))["total_commands_processed"])

        seen = done()
        assert _count(config) == 1
        assert not close_if_idle(Running(pid, connection), engine, seen)
        assert _count(config) == 1
        wait_until(lambda: close_if_idle(Running(pid, connection), engine, done()), "the supervisor looks all the time")
        with pytest.raises(ServerUnavailable):
            open_connection(config, wait_s=0.0)
    wait_until(lambda: _ended(config), "the supervisor does not see that")


def test_whoever_comes_while_an_idle_server_ends_is_served(config: Config) -> None:
    short = config.replace(idle_minutes=0.01)
    for number in range(12):
        time.sleep(0.55 + number * 0.02)
        _add(short, str(number))
    assert _count(short) == 12


def test_a_hung_server_is_killed_and_the_next_caller_starts_another(config: Config) -> None:
    address = server_address(config)
    lock = _free_lock(address)
    assert lock is not None
    start_supervisor(
        config.replace(idle_minutes=0.05), address, lock, hang_s=15.0
    )  # a disk can keep a sound one for ten
    _add(config, "a")
    pid = _pid(config)
    os.kill(pid, signal.SIGSTOP)
    assert _count(config) == 1
    assert _pid(config) != pid


def test_a_server_whose_socket_was_removed_gives_way(config: Config) -> None:
    _add(config.replace(idle_minutes=0.05), "a")
    _wait_for_supervisor(config)
    os.unlink(current_socket(server_address(config)))
    assert _count(config) == 1
    assert _starts(config) == 2


def test_a_server_whose_folder_was_removed_ends(config: Config) -> None:
    _add(config.replace(idle_minutes=0.05), "a")
    _wait_for_supervisor(config)
    pid = _pid(config)
    shutil.rmtree(os.path.join(config.home, "server"))
    wait_until(lambda: not os.path.exists(f"/proc/{pid}"), "the server goes on without its folder")


def test_stop_ends_also_a_server_that_does_not_answer(config: Config) -> None:
    _add(config, "a")
    os.kill(_pid(config), signal.SIGSTOP)
    assert stop_server(config, wait_s=2.0)
    assert not stop_server(config)
    assert _count(config) == 1


def test_start_leaves_no_stream_and_no_folder_of_the_caller_open(config: Config, tmp_path: Path) -> None:
    read_end, write_end = os.pipe()
    command = [sys.executable, "-m", "engram", "server", "start"]
    here = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    environ = {**os.environ, "PYTHONPATH": here, "SECRET": "geheim"}
    ran = subprocess.run(
        command, capture_output=True, timeout=LIMIT_S, pass_fds=[write_end], cwd=tmp_path, env=environ, check=True
    )
    os.close(write_end)
    assert os.read(read_end, 1) == b""
    os.close(read_end)
    assert b"the graph server runs" in ran.stdout
    pid = _pid(config)
    assert os.readlink(f"/proc/{pid}/cwd") == os.path.join(config.home, "server")
    assert b"geheim" not in Path(f"/proc/{pid}/environ").read_bytes()
    assert os.getsid(pid) != os.getsid(0)


def test_the_command_line_says_what_there_is(config: Config) -> None:
    def engram(*args: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-m", "engram", "server", *args], capture_output=True, text=True)

    assert engram("status").returncode == 1
    assert "is not running" in engram("stop").stdout
    started = json.loads(engram("start", "--json").stdout)
    assert started["running"]
    assert started["pid"] == _pid(config)
    assert started["graphs"] == 0
    assert 0 < started["memoryBytes"] < 60e6
    assert f"process   {started['pid']}" in engram("status").stdout
    assert not json.loads(engram("stop", "--json").stdout)["running"]
    assert engram("restart").returncode == 2


def test_without_start_nothing_is_started(config: Config) -> None:
    with pytest.raises(ServerUnavailable):
        open_connection(config, start=False)
    assert os.listdir(config.home) == []
    _add(config, "a")
    stop_server(config)
    with pytest.raises(ServerUnavailable, match="not running"):
        open_connection(config, start=False)
    assert _ended(config)


def test_an_engine_that_is_not_installed_is_told(config: Config, tmp_path: Path) -> None:
    script = (
        "import sys; sys.path[:] = [p for p in sys.path if not p.endswith('-packages')]; sys.prefix = '/nowhere'; "
        "from engram.cli.main import main; sys.exit(main(['server', 'start']))"
    )
    here = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": here}
    )
    assert ran.returncode == 1
    assert "the graph engine is not installed" in ran.stderr
    assert "engram doctor" in ran.stderr
