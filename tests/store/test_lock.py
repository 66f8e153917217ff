"""The index lock: one owner at a time, whatever happens to owners."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from engram.config import Config
from engram.errors import IndexBusy
from engram.store.graph import Graph, transaction
from engram.store.keys import graph_keys, machine_key
from engram.store.lock import HUNG_MS, STALE_MS, acquire_lock
from engram.store.schema import INDEX_LOCK, Keys
from engram.store.wire import Connection
from engram.worktree import Worktree

CONTENDER = """
import os, sys, time
from engram.config import load_config
from engram.store.lock import acquire_lock
from engram.store.schema import Keys
from engram.store.server import open_connection
base, folder = sys.argv[1:]
config = load_config()
connection = open_connection(config)
for turn in range(5):
    with acquire_lock(connection, config, Keys(base), wait_s=600) as lock:
        held = os.open(os.path.join(folder, "held"), os.O_CREAT | os.O_EXCL)  # fails if another process is inside
        time.sleep(0.002)
        os.close(held)
        os.unlink(os.path.join(folder, "held"))
    print(lock.grant)
"""


@pytest.fixture
def keys(server: Config, tmp_path: Path) -> Keys:
    return graph_keys(server, Worktree(str(tmp_path)))


@pytest.fixture
def age(connection: Connection, server: Config, keys: Keys) -> Callable[[int], None]:
    """Makes the lock older by some milliseconds, as if its owner had not moved since."""
    locks = Graph(connection, machine_key(server, "locks"))
    older = f"MATCH (l:{INDEX_LOCK} {{k: $k}}) SET l.at = l.at - $milliseconds"

    def age(milliseconds: int) -> None:
        locks.write(older, {"k": keys.base, "milliseconds": milliseconds})

    return age


def test_sixteen_processes_take_turns(server: Config, keys: Keys, tmp_path: Path) -> None:
    command = [sys.executable, "-c", CONTENDER, keys.base, str(tmp_path)]
    racers = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(16)]
    printed = [racer.communicate(timeout=600)[0].split() for racer in racers]
    assert [racer.returncode for racer in racers] == [0] * 16
    assert sorted(int(grant) for grants in printed for grant in grants) == list(range(1, 81))


def test_a_held_lock_is_refused_and_a_released_one_granted(connection: Connection, server: Config, keys: Keys) -> None:
    with acquire_lock(connection, server, keys) as first:
        with pytest.raises(IndexBusy, match=f"pid {os.getpid()}"):
            acquire_lock(connection, server, keys)
        assert acquire_lock(connection, server, Keys(f"{keys.base}-other")).grant == 1
    with acquire_lock(connection, server, keys) as second:
        assert second.grant == first.grant + 1
    first.release()
    assert acquire_lock(connection, server, keys).grant == second.grant + 1


def test_the_lock_of_a_process_that_dies_is_free_at_once(
    connection: Connection, server: Config, keys: Keys, tmp_path: Path
) -> None:
    script = (
        CONTENDER.replace("print(lock.grant)", "")
        .replace("range(5)", "range(1)")
        .replace("os.close(held)", "print('inside', flush=True); input()")
    )
    command = [sys.executable, "-c", script, keys.base, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "inside\n"
        with pytest.raises(IndexBusy, match=f"pid {holder.pid}"):
            acquire_lock(connection, server, keys)
        threading.Timer(0.3, holder.kill).start()
        # long before it would be stale by its age
        assert acquire_lock(connection, server, keys, wait_s=STALE_MS / 2000).grant == 2


def test_an_owner_that_slept_too_long_loses_the_lock_and_cannot_swap(
    connection: Connection, server: Config, keys: Keys, age: Callable[[int], None]
) -> None:
    sleeper = acquire_lock(connection, server, keys)
    assert transaction(connection, [("PING",)], watch=[sleeper.watch]) == ["PONG"]
    age(HUNG_MS + 1)
    successor = acquire_lock(connection, server, keys)
    assert transaction(connection, [("PING",)], watch=[sleeper.watch]) is None
    assert transaction(connection, [("PING",)], watch=[successor.watch]) == ["PONG"]
    sleeper.release()
    with pytest.raises(IndexBusy):
        acquire_lock(connection, server, keys)


def test_an_owner_of_another_machine_is_known_by_its_renewals_alone(
    connection: Connection, server: Config, keys: Keys, age: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr("engram.store.lock.this_host", lambda: "another-machine")
        acquire_lock(connection, server, keys)
    with pytest.raises(IndexBusy):
        acquire_lock(connection, server, keys, hung_ms=0)
    age(STALE_MS + 1)
    assert acquire_lock(connection, server, keys).grant == 2


def test_renewing_keeps_the_lock_and_tells_who_lost_it(
    connection: Connection, server: Config, keys: Keys, age: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engram.store.lock._RENEW_S", 0.0)
    with acquire_lock(connection, server, keys) as lock:
        for _ in range(2):
            age(HUNG_MS + 1)
            lock.renew()
            with pytest.raises(IndexBusy):
                acquire_lock(connection, server, keys)
        age(HUNG_MS + 1)
        acquire_lock(connection, server, keys)
        with pytest.raises(IndexBusy, match="took over"):
            lock.renew()
