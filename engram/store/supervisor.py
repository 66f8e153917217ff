"""The process beside the server: starts it, saves and stops it when nobody needs it, ends it when it hangs.

Runs under `python -I -S` as a session of its own and needs 10 MB.  Should it be killed, the server serves on and
only its idle shutdown is lost, until the next start.
"""

from __future__ import annotations

import os
import select
import signal
import time

from engram.errors import ServerUnavailable, StoreFull
from engram.store.copies import APPEND_ONLY, forget_old_copy, save_copy
from engram.store.launch import Ended, Engine, Running, reap, shut_down
from engram.store.notes import report, write_note
from engram.store.recovery import CannotStart, start_engine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_POLL_S = 5.0  # an INFO costs 0.2 ms
_SYNC_S = 1.0  # what a power cut may cost of what was written
_STOP_S = 60.0
_LAST_BREATH_S = 60.0  # between hanging up and its end, a server forces its append-only file to the disk
_MAX_LOG = 1 << 20  # the log of one former run is kept beside it
_MAX_FILES = 1 << 16


def main(argv: list[str]) -> None:
    """Go into the background and look after one server until it ends; argv is what `start_supervisor` passes."""
    server, module, state, socket, lock, idle_s, hang_s = argv
    if os.fork():
        os._exit(0)
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM, signal.SIGCHLD):  # the caller may ignore them
        signal.signal(number, signal.SIG_DFL)
    os.closerange(3, int(lock))
    os.closerange(int(lock) + 1, _MAX_FILES)
    os.umask(0o077)
    os.chdir(state)
    _rotate(os.path.join(state, "server.log"))
    engine = Engine(server, module, state, socket)
    try:
        running = _start(engine, int(lock))
    except CannotStart as error:
        report(f"cannot start: {error}")
        write_note(os.path.join(state, "failure"), str(error))
        return
    except Ended as ended:  # by a signal: whoever still needs a server starts another
        report(f"the server was ended ({ended})")
        return
    _watch(running, engine, float(idle_s), float(hang_s))


def _start(engine: Engine, lock: int) -> Running:
    """The server, after which the lock is its alone: it frees it in the instant in which it ends."""
    write_note(os.path.join(engine.state, "failure"), "")
    write_note(os.path.join(engine.state, "socket"), engine.socket)
    running = start_engine(engine, lock)
    os.close(lock)
    return running


def _watch(running: Running, engine: Engine, idle_s: float, hang_s: float) -> None:
    """Look at the server every few seconds until it has ended."""
    wait = _child_alarm()
    running.connection.wait_at_most(hang_s)
    asked = idle_since = time.monotonic()
    used = True
    try:
        seen = _commands(running)
        while not _ended(running.pid):
            wait(min(_SYNC_S if used else _POLL_S, idle_s / 4))
            asked = time.monotonic()
            now = _commands(running)
            used = now > seen + 1  # more than the question itself
            seen = now
            if used:
                idle_since = asked
                _sync(engine.state)
            forget_old_copy(engine.state)
            if not (os.path.exists(engine.socket) and os.path.exists(engine.state)):
                report("the socket or the folder was removed: nobody can reach the server any more")
            elif asked - idle_since < idle_s:
                continue
            elif not close_if_idle(running, engine, seen):
                idle_since = asked
                continue
            report(f"stopped, exit status {shut_down(running, _STOP_S)}")
            return
    except ServerUnavailable as error:
        report(f"no answer: {error.message}")
        hung = time.monotonic() - asked >= hang_s
        report(f"ended, exit status {reap(running.pid, 0.0 if hung else _LAST_BREATH_S)}")


def _commands(running: Running) -> int:
    """How many commands the server has done so far, this question not among them."""
    info: bytes = running.connection.call("INFO", "stats")
    return int(info.partition(b"total_commands_processed:")[2].split(b"\r\n", 1)[0])


def close_if_idle(running: Running, engine: Engine, seen: int) -> bool:
    """Save a copy that is independent of the append-only file, and take the socket away; False if the server must not
    stop after all, `seen` being the commands it had done when it was last looked at.

    Whoever comes from then on finds no socket, and waits for the lock.  Without that, somebody could connect between
    the last look and the end, and lose the connection on the first question.
    """
    try:
        problem = save_copy(running.connection, engine.state)
    except StoreFull as error:
        report(error.message)
        return False
    if problem:
        report(f"no copy was saved: {problem}")
    aside = f"{engine.socket}.closing"
    try:
        os.rename(engine.socket, aside)
        try:
            idle = _commands(running) <= seen + 3  # SAVE, INFO, and the INFO before them
        except ServerUnavailable:
            os.unlink(aside)
            raise
        if idle:
            os.unlink(aside)
            return True
        os.rename(aside, engine.socket)
    except OSError as error:  # somebody has removed it, which is looked at next time
        report(f"{engine.socket}: {error.strerror}")
    return False


def _sync(state: str) -> None:
    """Have the system put the append-only file on the disk; this process can wait for that, the server could not."""
    folder = os.path.join(state, APPEND_ONLY)
    try:
        for name in os.listdir(folder):
            if name.endswith(".incr.aof"):
                descriptor = os.open(os.path.join(folder, name), os.O_RDONLY)
                try:
                    os.fsync(descriptor)
                finally:
                    os.close(descriptor)
    except OSError as error:  # no space, or a rewrite has just replaced the file
        report(f"the append-only file was not synced: {error}")


def _child_alarm() -> Callable[[float], None]:
    """A wait that ends early when a child ends."""
    readable, writable = os.pipe()
    os.set_blocking(writable, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(writable, warn_on_full_buffer=False)

    def wait(timeout_s: float) -> None:
        if select.select([readable], [], [], timeout_s)[0]:
            os.read(readable, 64)

    return wait


def _ended(pid: int) -> bool:
    """Whether the server, a child, has ended; reaps it if so."""
    done, status = os.waitpid(pid, os.WNOHANG)
    if done:
        report(f"the server ended, exit status {os.waitstatus_to_exitcode(status)}")
    return bool(done)


def _rotate(log: str) -> None:
    if os.path.getsize(log) > _MAX_LOG:
        os.replace(log, f"{log}.1")
        descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.dup2(descriptor, 1)
        os.dup2(descriptor, 2)
        os.close(descriptor)
