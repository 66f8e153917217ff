"""What the plugin leaves running behind a client: work that comes to an end, and the server until it is stopped."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path

from engram.config import Config
from engram.store.server import stop_server
from tests.patience import wait_until

_SERVER = (b"redis-server", b"engram.store.supervisor")
# Python's own, of the process that runs the tests: started once with the variables of that moment, it stays to the end.
_OF_THE_TESTS = b"multiprocessing.resource_tracker"


def processes_of(home: str) -> dict[int, bytes]:
    """Process id to command line of everything that was started with this ENGRAM_HOME; {} where there is no /proc.

    The graph server writes its title over its environment, but its current folder lies there.
    """
    mark = b"\0ENGRAM_HOME=" + os.fsencode(home) + b"\0"
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes()
            started = b"\0" + (folder / "environ").read_bytes() + b"\0"
            inside = os.readlink(folder / "cwd").startswith(f"{home}/")
        except OSError:  # it ended meanwhile, or is another user's
            continue
        if command and _OF_THE_TESTS not in command and (inside or mark in started or os.fsencode(home) in command):
            found[int(folder.name)] = command.replace(b"\0", b" ")
    return found


def workers_of(home: str) -> dict[int, bytes]:
    """Those of `processes_of` that are not the server and its supervisor."""
    return {p: command for p, command in processes_of(home).items() if not any(name in command for name in _SERVER)}


def settle(home: str, *, client: str = "") -> None:
    """Wait until no detached work goes on; processes of the program `client` are none."""

    def at_work() -> list[bytes]:
        commands = workers_of(home).values()
        return [one for one in commands if not client or not one.startswith(os.fsencode(client))]

    wait_until(lambda: not at_work(), lambda: f"still at work: {at_work()}")


def kill_server(home: str) -> None:
    """SIGKILL for the server and its supervisor; they are gone afterwards."""
    doomed = processes_of(home).keys() - workers_of(home).keys()
    assert doomed, f"no server runs in {home}"
    for process in doomed:
        with suppress(ProcessLookupError):  # a supervisor ends with its server
            os.kill(process, signal.SIGKILL)
    wait_until(lambda: not doomed & processes_of(home).keys(), f"still there: {doomed}")


def take_down(home: str) -> None:
    """Have everything ended that was started with this ENGRAM_HOME; fails if something does not."""
    settle(home)
    stop_server(Config(home=home))
    wait_until(lambda: not processes_of(home), lambda: f"left running: {processes_of(home)}")
