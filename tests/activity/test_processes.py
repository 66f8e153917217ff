"""However sessions end, nothing of them stays: no process, no claim; and what they did is in the graph."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

from engram.engine import Engram
from tests.activity.session import Session, hook_command, workers
from tests.leftovers import processes_of
from tests.patience import LIMIT_S, wait_until

_WAYS = [None, signal.SIGTERM, signal.SIGKILL, signal.SIGINT, signal.SIGHUP]
# A client: answers each line with what its hook says, the hook being its child.
_CLIENT = 'while read -r event file; do "$@" "$event" <"$file"; echo answered; done'


def test_ten_sessions_end_in_every_way_and_leave_nothing(shop, server, tmp_path):
    before = processes_of(server.home).keys()
    clients = [_Client(shop.root, server.home, f"session-{number}", tmp_path) for number in range(10)]
    for number, client in enumerate(clients):
        client.send("PreToolUse", tool_name="Edit", tool_input={"file_path": str(shop.root / f"f{number}.py")})
        shop.write(f"f{number}.py", f"def f{number}():\n    return {number}\n")
        edit = {"tool_input": {"file_path": str(shop.root / f"f{number}.py")}, "tool_response": {}}
        client.send("PostToolUse", tool_name="Edit", **edit)
    with Engram.open(server, str(shop.root)) as engram:
        assert len(engram.claims()) == 10
    for client, way in zip(clients, _WAYS * 2, strict=True):
        client.end(way)
    Session(shop.root, server.home, "last").settle()
    with Engram.open(server, str(shop.root)) as engram:
        assert engram.claims() == []
        engram.follow(unasked=True)
        did = {record.id: [file.path for file in record.edited] for record in engram.sessions(limit=20, files=20)}
    assert did == {f"session-{number}": [f"f{number}.py"] for number in range(10)}
    assert shop.rows("MATCH (s:Symbol) WHERE s.name STARTS WITH 'f' AND s.kind = 'function' RETURN count(s)") == [[10]]
    wait_until(lambda: processes_of(server.home).keys() <= before, lambda: processes_of(server.home))
    assert workers(shop.root) == []


def test_a_worker_that_is_killed_is_followed_by_another(shop, server):
    session = Session(shop.root, server.home, "one")
    for number in range(5):
        shop.write("late.py", f"def late{number}():\n    pass\n")
        session.bash("true")
        for pid in workers(shop.root):
            _kill(pid)
    session.bash("true")
    session.settle()
    with Engram.open(server, str(shop.root)) as engram:
        engram.follow(unasked=True)
    assert shop.rows("MATCH (s:Symbol {path: 'late.py', kind: 'function'}) RETURN s.name") == [["late4"]]
    assert workers(shop.root) == []


class _Client:
    """A process that lives as a client does, and whose hooks are its children."""

    def __init__(self, root: Path, home: str, name: str, folder: Path) -> None:
        self._session = Session(root, home, name)
        self._payload = folder / f"{name}.json"
        self._process = subprocess.Popen(
            ["sh", "-c", _CLIENT, "sh", *hook_command("")[:-1]],
            cwd=root, env=self._session.environ(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def send(self, event: str, **fields: object) -> None:
        """Have a hook answer the event, and say nothing."""
        self._payload.write_text(self._session.payload(event, **fields))
        self._process.stdin.write(f"{event} {self._payload}\n")
        self._process.stdin.flush()
        assert self._process.stdout.readline() == "answered\n"

    def end(self, way: signal.Signals | None) -> None:
        """Killed by a signal, or at its own will."""
        if way is None:
            self.send("SessionEnd", reason="other")
        else:
            self._process.send_signal(way)
        self._process.communicate(timeout=LIMIT_S)


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return
