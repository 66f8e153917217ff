"""Many sessions at once, ended in every way: what is left of them, and what they did to one another."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time

from tests.client.driver import Client
from tests.client.model import Call, Model, Rule
from tests.leftovers import processes_of, settle
from tests.patience import LIMIT_S

SESSIONS = 10


def kill_all(session: subprocess.Popen[bytes]) -> None:
    os.killpg(session.pid, signal.SIGKILL)


def kill(session: subprocess.Popen[bytes]) -> None:
    session.kill()


def terminate(session: subprocess.Popen[bytes]) -> None:
    session.terminate()


def interrupt(session: subprocess.Popen[bytes]) -> None:
    os.killpg(session.pid, signal.SIGINT)


def let_end(session: subprocess.Popen[bytes]) -> None:
    session.wait(timeout=LIMIT_S)


WAYS = (kill_all, kill, terminate, interrupt, let_end)


def test_ten_sessions_in_a_new_repository_leave_one_server(client: Client):
    """They start within a second, before any index; some are killed in their hooks, some while the model answers."""
    read = Call("Read", file_path=str(client.repository / "shop" / "prices.py"))
    rules = [Rule("done", shown="def order_total", times=0, delay=1.0), Rule(read, times=0, delay=1.0)]
    with Model(rules) as model:
        argv = [client.program, "-p", *client.plugin, "what is the order total?"]
        environ = client.environ(model.url)
        quiet = subprocess.DEVNULL
        sessions = [
            subprocess.Popen(
                argv, cwd=client.repository, env=environ, stdin=quiet, stdout=quiet, stderr=quiet,
                start_new_session=True,
            )
            for _ in range(SESSIONS)
        ]  # fmt: skip
        for number, session in enumerate(sessions):
            time.sleep(0.5)
            WAYS[number % len(WAYS)](session)
        for session in sessions:
            session.wait(timeout=LIMIT_S)
    settle(client.engram_home)
    left = list(processes_of(client.engram_home).values())
    assert sum(b"redis-server unixsocket:" in command for command in left) == 1
    assert sum(b"engram.store.supervisor" in command for command in left) == 1
    assert len(left) == 2, left
    named = client.engram("symbols", "order_total")
    assert named.count("order_total") == 1, named
    assert client.engram("journal", "verify").startswith("ok")
    claims = json.loads(client.engram("claims", "--json"))
    assert claims in ([], {"claims": []}), claims
