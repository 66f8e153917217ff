"""Start one redis-server in the foreground, with all its settings, and wait until it serves or is gone."""

from __future__ import annotations

import os
import signal
import time

from engram.errors import ServerUnavailable, StoreError
from engram.model import Value
from engram.store.copies import APPEND_ONLY, COPY
from engram.store.notes import report
from engram.store.wire import Connection, connect_unix

# Each setting has a reason:
# port 0: the socket is the only way in.
# appendfsync no: every write is handed to the system before it is acknowledged, and the supervisor syncs the file.
#     With everysec the server puts writes off while its own sync is under way, and one that was killed in that moment
#     had lost 19 acknowledged writes of 20 (seen on a busy disk, 2026-11).
# save "": the supervisor saves before it stops.  maxclients: bounds what a runaway caller costs.
# THREAD_COUNT 8: with as many as cores, two slow reads block everything.
# CACHE_SIZE 128: query texts that are kept planned.  CMD_INFO no: or the last 1000 queries are kept in memory.
# QUERY_MEM_CAPACITY: a query that sorts all there is ends with an error, not with the machine's memory.
# EFFECTS_THRESHOLD 0: every write goes into the append-only file as its effects; as text, rand(), timestamp() and LIMIT
#     replay differently, and the server then refuses to start (FalkorDB issues 2235, 2526).
_SETTINGS = (
    *("--port", "0", "--unixsocketperm", "600", "--daemonize", "no", "--maxclients", "256"),
    *("--appendfsync", "no", "--save", "", "--appenddirname", APPEND_ONLY),
)
_MODULE_SETTINGS = (
    *("THREAD_COUNT", "8", "OMP_THREAD_COUNT", "1", "CACHE_SIZE", "128"),
    *("CMD_INFO", "no", "EFFECTS_THRESHOLD", "0", "QUERY_MEM_CAPACITY", str(1 << 30)),
)
# glibc's allocator keeps what was freed: with its defaults a server grew from 55 to 94 MB over three rebuilds of one
# graph of 20,000 symbols, with these it stayed at 64, and loads and queries were no slower.  See mallopt(3).
_ALLOCATOR = {"MALLOC_ARENA_MAX": "2", "MALLOC_TRIM_THRESHOLD_": "131072", "MALLOC_MMAP_THRESHOLD_": "65536"}
_REPLY_S = 60.0  # loading blocks replies now and then; 1.5 million nodes load in 8 s
_BIND_S = 60.0  # the socket is there 0.05 s after the start, before any data is loaded


class Engine(Value):
    """What to start: the two binaries, the folder of the data, and the socket to listen at."""

    server: str
    module: str
    state: str
    socket: str


class Running(Value):
    """A server that answers: its process, a child of this one, and a connection to it."""

    pid: int
    connection: Connection


class Ended(Exception):
    """The server ended before it served: `status` is its exit status, negative for a signal."""

    def __init__(self, status: int) -> None:
        super().__init__(f"exit status {status}")
        self.status = status


def launch(engine: Engine, *, append_only: bool = True, rdb: str = COPY, lock: int = -1) -> Running:
    """A server that has loaded its data; raises Ended if it ends before that.

    It inherits the open file `lock`, which holds its process id from then on.
    """
    settings = [*_SETTINGS, "--dir", engine.state, "--unixsocket", engine.socket, "--dbfilename", rdb]
    settings += ["--appendonly", "yes" if append_only else "no"]
    argv = [engine.server, *settings, "--loadmodule", engine.module, *_MODULE_SETTINGS]
    if lock >= 0:
        os.set_inheritable(lock, True)
    try:
        pid = os.posix_spawn(engine.server, argv, {**os.environ, **_ALLOCATOR})
    except OSError as error:
        report(f"{engine.server} cannot be run: {error}")
        raise Ended(127) from error
    if lock >= 0:
        _write_pid(lock, pid)
    return Running(pid, _first_answer(engine.socket, pid))


def _write_pid(lock: int, pid: int) -> None:
    try:
        os.truncate(lock, 0)
        os.pwrite(lock, str(pid).encode("ascii"), 0)
    except OSError as error:  # only `engram server stop` needs it, for a server that does not answer
        report(f"the process id was not written: {error}")


def _first_answer(socket: str, pid: int) -> Connection:
    """A connection to the server once it serves; it is killed if nobody can reach it."""
    pause, deadline = 0.002, time.monotonic() + _BIND_S
    while True:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            raise Ended(os.waitstatus_to_exitcode(status))
        try:
            connection = connect_unix(socket, _REPLY_S)
            deadline = time.monotonic() + _BIND_S
            try:
                connection.greet()
                return connection
            except StoreError:
                connection.close()
                raise
        except StoreError:  # not listening yet, or LOADING
            if time.monotonic() > deadline:
                report("nobody can reach the socket")
                os.kill(pid, signal.SIGKILL)
            time.sleep(pause)
            pause = min(pause * 1.5, 0.05)


def shut_down(running: Running, patience_s: float) -> int:
    """End the server without saving and return its exit status; it is killed after `patience_s`."""
    try:
        running.connection.call("SHUTDOWN", "NOSAVE", "NOW", "FORCE")
    except ServerUnavailable:  # hanging up is how it answers
        pass
    running.connection.close()
    return reap(running.pid, patience_s)


def reap(pid: int, patience_s: float) -> int:
    """Wait for a child to end, kill it after `patience_s`, and return its exit status."""
    deadline = time.monotonic() + patience_s
    while True:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() > deadline:
            os.kill(pid, signal.SIGKILL)
            return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        time.sleep(0.01)
