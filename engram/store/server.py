"""Reach the graph server of this user, start it where none runs, stop it.

One lock decides who starts it: flock(2) on `server/lock`.  The file is inherited by the server, so the kernel holds
the lock exactly as long as a server lives and frees it however that ends.  Whoever gets the lock knows that none
lives, and starts one; whoever does not get it waits for the socket to answer.
"""

from __future__ import annotations

import fcntl
import os
import sys
import time

from engram.errors import ServerUnavailable, StoreError
from engram.store.address import Address, check_folder, current_socket, make_folders, server_address, why_unwritable
from engram.store.binaries import find_binaries
from engram.store.copies import save_copy
from engram.store.notes import read_note
from engram.store.wire import Connection, connect_unix, connect_url

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram.config import Config

REPLY_TIMEOUT_S = 60.0  # as long as the supervisor waits before it takes the server for hung
# A start takes 0.3 s.  It forces half a dozen small files to the disk, though, and one that is being written back to
# has been seen to take 10 s for each; and a server that hangs is first given HANG_S.
START_S = 300.0
STOP_S = 120.0  # the copy that is saved at a stop is forced to the disk, too
REMOTE_S = 20.0  # nothing is started there
_DEATH_S = 60.0  # between SIGKILL and the end of a process that waits for a disk
HANG_S = 60.0  # the engine can deadlock (FalkorDB issue 2129); its longest honest silence seen was 0.5 s
_SIGKILL = 9  # POSIX; to import `signal` would cost a hook 5 ms
_ENVIRONMENT = ("PATH", "HOME", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH")
_BOOT = "import sys; sys.path.insert(0, sys.argv[1]); from engram.store.supervisor import main; main(sys.argv[2:])"


def open_connection(
    config: Config, *, start: bool = True, wait_s: float = START_S, timeout_s: float = REPLY_TIMEOUT_S
) -> Connection:
    """A connection that answered; with `start`, a server is started where none runs.

    `wait_s` bounds all of this, `timeout_s` each later reply.  Raises ServerUnavailable when none answers in time,
    EngineMissing when the engine is not installed, ConfigError for a socket folder that is not this user's alone.
    """
    if config.falkordb_url:
        connection = connect_url(config.falkordb_url, min(wait_s, REMOTE_S))
        connection.wait_at_most(timeout_s)
        return connection
    address = server_address(config)
    asked_at, deadline = time.time(), time.monotonic() + wait_s
    started, pause = False, 0.002
    while True:
        try:
            return _reach(address, max(deadline - time.monotonic(), 0.01), timeout_s)
        except ServerUnavailable as error:
            reason = error
        lock = _free_lock(address) if start or os.path.exists(address.lock) else None
        if lock is not None:
            failure = _failure_since(address, asked_at, started)
            if failure or not start:
                os.close(lock)
                raise failure or ServerUnavailable("the graph server is not running", "`engram server start` starts it")
            start_supervisor(config, address, lock)
            started = True
        elif not start and not os.path.exists(address.lock):
            raise reason
        if time.monotonic() > deadline:
            raise ServerUnavailable(f"the graph server did not answer in {wait_s:g} s: {reason}", f"see {address.log}")
        time.sleep(pause)
        pause = min(pause * 1.5, 0.05)


def start_supervisor(config: Config, address: Address, lock: int, *, hang_s: float = HANG_S) -> None:
    """Start the supervisor, which starts the server; `lock` is handed on to it and closed here.

    It inherits nothing else: no stdin, stdout or stderr of the caller stays open, nor its session or its variables.
    """
    try:
        binaries = find_binaries()
        root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        settings = [str(lock), str(config.idle_minutes * 60.0), str(hang_s)]
        files = [binaries.server, binaries.module, address.state, address.socket]
        os.set_inheritable(lock, True)
        pid = os.posix_spawn(
            sys.executable,
            [sys.executable, "-I", "-S", "-c", _BOOT, root, *files, *settings],
            {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ},
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                (os.POSIX_SPAWN_OPEN, 1, address.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600),
                (os.POSIX_SPAWN_DUP2, 1, 2),
            ],
            setsid=True,
            setsigmask=[],
        )
        _, status = os.waitpid(pid, 0)  # it forks at once, so that no zombie is left to a long-lived caller
    except OSError as error:
        raise ServerUnavailable(f"the graph server cannot be started: {error}") from error
    finally:
        os.close(lock)
    if status:
        raise ServerUnavailable("the graph server's supervisor did not start", f"see {address.log}")


def stop_server(config: Config, *, wait_s: float = STOP_S) -> bool:
    """Save and stop the server; returns whether one ran.  One that does not answer is killed: what it has
    acknowledged is in its log already.

    Raises StoreFull where that is not so, because the disk is full; ServerUnavailable for a remote server, and when
    it lives on after `wait_s` and a SIGKILL.
    """
    if config.falkordb_url:
        raise ServerUnavailable("the graph server of ENGRAM_FALKORDB_URL is not engram's to stop")
    address = server_address(config)
    if not _is_locked(address):
        return False
    try:
        with _reach(address, wait_s / 2, wait_s / 2) as connection:
            save_copy(connection, address.state)
            connection.call("SHUTDOWN", "NOSAVE", "NOW", "FORCE")
    except ServerUnavailable:  # hanging up is how SHUTDOWN answers
        pass
    if not _wait_unlocked(address, wait_s / 2):
        _kill(_server_pid(address))
        if not _wait_unlocked(address, _DEATH_S):
            raise ServerUnavailable("the graph server does not stop", f"see {address.log}")
    return True


def _reach(address: Address, patience_s: float, timeout_s: float) -> Connection:
    path = current_socket(address)
    check_folder(os.path.dirname(path), "the socket folder")
    connection = connect_unix(path, patience_s)
    try:
        connection.greet()
    except StoreError:
        connection.close()
        raise
    connection.wait_at_most(timeout_s)
    return connection


def _free_lock(address: Address) -> int | None:
    """The lock, as an open file, if no server lives; None otherwise."""
    make_folders(address)
    descriptor = os.open(address.lock, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    except OSError as error:
        os.close(descriptor)
        raise ServerUnavailable(f"{address.lock} cannot be locked: {error.strerror}") from error
    return descriptor


def _is_locked(address: Address) -> bool:
    if not os.path.exists(address.lock):
        return False
    lock = _free_lock(address)
    if lock is not None:
        os.close(lock)
    return lock is None


def _wait_unlocked(address: Address, wait_s: float) -> bool:
    deadline = time.monotonic() + wait_s
    while _is_locked(address):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def _failure_since(address: Address, asked_at: float, started: bool) -> ServerUnavailable | None:
    """What a start failed with since then (epoch seconds), whoever started; None if none failed.

    A full disk also keeps the supervisor from writing that down, so after a start of our own we look ourselves.
    """
    try:
        reason = read_note(address.failure).strip() if os.stat(address.failure).st_mtime >= asked_at else ""
    except OSError:
        reason = ""
    if started and not reason:
        reason = why_unwritable(address.state)
    return ServerUnavailable(f"the graph server cannot start: {reason}", f"see {address.log}") if reason else None


def _kill(pid: int) -> None:
    """End the process, unless it is 0 or gone."""
    if pid:
        try:
            os.kill(pid, _SIGKILL)
        except ProcessLookupError:
            return


def _server_pid(address: Address) -> int:
    """The server's process, as its supervisor wrote it into the lock file; 0 if unknown."""
    text = read_note(address.lock).strip()
    return int(text) if text.isdecimal() else 0
