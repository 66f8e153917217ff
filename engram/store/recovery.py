"""Start the server on its data, and where that is damaged, on the best copy there is.

In this order: the append-only file as it is; the newer one of `graph.rdb` (saved at the last stop) and of the base of
the append-only file; the other one; nothing, in which case checkouts are indexed anew.  What could not be loaded is
kept in `damaged/` until the next time.
"""

from __future__ import annotations

import _socket
import os
import signal
import time

from engram.errors import StoreError
from engram.store.address import why_unwritable
from engram.store.copies import APPEND_ONLY, COPY, copy_was_used, is_copy_better
from engram.store.launch import Ended, Engine, Running, launch, shut_down
from engram.store.notes import report, utc_now, write_note

_ASIDE, _DRAFT, _TRIAL = "damaged", "recover.rdb", "trial"
_REWRITE_S = 600.0  # a rewrite takes 1 s per 125,000 nodes and edges
_STOP_S = 60.0
_STOPPED_BY_HAND = (0, -signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT, -signal.SIGHUP)


class CannotStart(Exception):
    """No server could be started, and the data is as it was before; the text is the reason."""


def start_engine(engine: Engine, lock: int) -> Running:
    """A server on the best data that loads; what had to be done for that is noted in the file `recovery`.

    Raises CannotStart when the fault is not in the data: no space, no permission, an engine that does not run; Ended
    when somebody ended the server before it answered here.
    """
    problem = why_unwritable(engine.state) or _unbindable(engine.socket)
    if problem:
        raise CannotStart(problem)
    has_copy = os.path.exists(os.path.join(engine.state, COPY))
    if not (has_copy and is_copy_better(engine.state)) and (
        not has_copy or _names(os.path.join(engine.state, APPEND_ONLY))
    ):
        try:
            return launch(engine, lock=lock)
        except Ended as ended:
            _require_damage(engine, ended)
    _move_aside(engine.state)
    for copy in _copies(engine.state):
        if _convert(engine, copy):
            copy_was_used(engine.state)
            _note(engine, f"loaded {os.path.basename(copy)} in place of the append-only file")
            return launch(engine, lock=lock)
    _note(engine, "started empty: no copy of the data could be loaded")
    return launch(engine, lock=lock)


def _note(engine: Engine, repair: str) -> None:
    report(repair)
    write_note(os.path.join(engine.state, "recovery"), f"{utc_now()} {repair}")


def _unbindable(path: str) -> str:
    """Why no socket can be made at the path; "" if one can.  What a dead server left there is removed."""
    probe = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        _unlink(path)
        probe.bind(path)
        os.unlink(path)
    except OSError as error:
        return f"no socket can be made at {path} ({error.strerror})"
    finally:
        probe.close()
    return ""


def _require_damage(engine: Engine, ended: Ended) -> None:
    """Raise CannotStart unless an empty server starts where this one did not: then the data is at fault.

    Raises `ended` itself if somebody ended the server; it may have served, and taken writes, by then.
    """
    if ended.status in _STOPPED_BY_HAND:
        raise ended
    trial = Engine(engine.server, engine.module, os.path.join(engine.state, _TRIAL), engine.socket + ".trial")
    _remove_tree(trial.state)
    os.mkdir(trial.state, 0o700)
    try:
        shut_down(launch(trial), _STOP_S)
    except Ended as again:
        raise CannotStart(f"the engine ends at once ({again})") from again
    finally:
        _remove_tree(trial.state)


def _move_aside(state: str) -> None:
    """Keep the append-only files in a folder of their own; what an interrupted recovery has put there stays."""
    if _names(os.path.join(state, APPEND_ONLY)):
        aside = os.path.join(state, _ASIDE)
        _remove_tree(aside)
        os.mkdir(aside, 0o700)
        os.rename(os.path.join(state, APPEND_ONLY), os.path.join(aside, APPEND_ONLY))


def _copies(state: str) -> list[str]:
    """Paths of the copies in the RDB format, the newest first."""
    damaged = os.path.join(state, _ASIDE, APPEND_ONLY)
    bases = [os.path.join(damaged, name) for name in _names(damaged) if name.endswith(".base.rdb")]
    found = [path for path in (os.path.join(state, COPY), *bases) if os.path.isfile(path)]
    return sorted(found, key=os.path.getmtime, reverse=True)


def _convert(engine: Engine, copy: str) -> bool:
    """Make an append-only file out of a copy, with a server that nobody can reach yet; False if it does not load.

    Raises CannotStart for want of space, Ended when somebody ended that server; the next start begins anew then.
    """
    draft = os.path.join(engine.state, _DRAFT)
    try:
        _duplicate(copy, draft)
        try:
            running = launch(engine.replace(socket=engine.socket + ".trial"), append_only=False, rdb=_DRAFT)
            _write_append_only(running)
            return True
        except Ended as ended:
            report(f"{copy} cannot be loaded: {ended}")
            _remove_tree(os.path.join(engine.state, APPEND_ONLY))
            if ended.status in _STOPPED_BY_HAND:
                raise
            return False
    except OSError as error:
        raise CannotStart(f"{copy} cannot be used: {error.strerror}") from error
    finally:
        _unlink(draft)


def _write_append_only(running: Running) -> None:
    """Have the server write its data to an append-only file, and end it; raises Ended if that fails."""
    failure = ""
    try:
        running.connection.call("CONFIG", "SET", "appendonly", "yes")
        _wait_rewritten(running)
    except StoreError as error:
        failure = error.message
    status = shut_down(running, _STOP_S)
    if failure:
        report(failure)
        raise Ended(status or 1)


def _duplicate(path: str, draft: str) -> None:
    """Give the file a second name, or where the file system has no hard links, make a second file of it."""
    _unlink(draft)
    try:
        os.link(path, draft)
    except OSError:
        with open(path, "rb") as source, open(draft, "wb") as target:
            while block := source.read(1 << 20):
                target.write(block)


def _wait_rewritten(running: Running) -> None:
    deadline = time.monotonic() + _REWRITE_S
    while time.monotonic() < deadline:
        info = running.connection.call("INFO", "persistence")
        busy = b"aof_rewrite_in_progress:1" in info or b"aof_rewrite_scheduled:1" in info
        if b"aof_last_bgrewrite_status:err" in info:
            break
        if not busy:
            return
        time.sleep(0.02)
    raise StoreError("the append-only file could not be written")


def _remove_tree(path: str) -> None:
    """Remove a folder of files and of folders of files; nothing happens where it is not."""
    for name in _names(path):
        inside = os.path.join(path, name)
        if os.path.isdir(inside) and not os.path.islink(inside):
            _remove_tree(inside)
        else:
            _unlink(inside)
    if os.path.isdir(path):
        os.rmdir(path)


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except (FileNotFoundError, NotADirectoryError):
        return []


def _unlink(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass
