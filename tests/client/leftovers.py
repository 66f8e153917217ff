"""What the plugin leaves running behind a client: work that comes to an end, and the server until it is stopped."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from engram.config import Config
from engram.store.server import stop_server

_SERVER = (b"redis-server", b"engram.store.supervisor")
# Python's own, of the process that runs the tests: started once with the variables of that moment, it stays to the end.
_OF_THE_TESTS = b"multiprocessing.resource_tracker"


def processes_of(home: str) -> dict[int, bytes]:
    """Process id to command line of everything that was started with this ENGRAM_HOME; {} where there is no /proc.

    The graph server writes its title over its environment, but its program lies in that folder.
    """
    mark = b"\0ENGRAM_HOME=" + os.fsencode(home) + b"\0"
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes()
            started = b"\0" + (folder / "environ").read_bytes() + b"\0"
        except OSError:  # it ended meanwhile, or is another user's
            continue
        if command and _OF_THE_TESTS not in command and (mark in started or os.fsencode(home) in command):
            found[int(folder.name)] = command.replace(b"\0", b" ")
    return found


def workers_of(home: str) -> dict[int, bytes]:
    """Those of `processes_of` that are not the server and its supervisor."""
    return {p: command for p, command in processes_of(home).items() if not any(name in command for name in _SERVER)}


def settle(home: str, limit_s: float = 60.0, *, client: str = "") -> None:
    """Wait until no detached work goes on; processes of the program `client` are none."""
    deadline = time.monotonic() + limit_s
    while workers := {
        process: command
        for process, command in workers_of(home).items()
        if not client or not command.startswith(os.fsencode(client))
    }:
        assert time.monotonic() < deadline, f"still at work: {workers}"
        time.sleep(0.05)


def kill_server(home: str) -> None:
    """SIGKILL for the server and its supervisor."""
    for process in processes_of(home).keys() - workers_of(home).keys():
        os.kill(process, signal.SIGKILL)


def take_down(home: str) -> None:
    """Have everything ended that was started with this ENGRAM_HOME; fails if something does not."""
    settle(home)
    stop_server(Config(home=home))
    deadline = time.monotonic() + 20.0
    while left := processes_of(home):
        assert time.monotonic() < deadline, f"left running: {left}"
        time.sleep(0.05)
