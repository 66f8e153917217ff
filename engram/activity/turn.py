"""Whose turn it is to bring the index and the activity of a checkout up to date: one process at a time.

A hook leaves a mark and starts a worker where none is at work.  The worker takes the mark away before it works, and
looks for a new one after it has given the lock back, so that no event between is forgotten.  The kernel gives the lock
back however a worker ends.
"""

from __future__ import annotations

import fcntl
import os
import time

from engram.journal.folder import make_state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from engram.journal.folder import StateFolder

_LOCK, _MARK = "activity.lock", "activity.wanted"
_PAUSE_S = 0.02


def want_worker(root: str) -> bool:
    """Leave the mark; returns whether no worker is at work, so that one has to be started.

    Raises JournalUnwritable, UnsafeState as `make_state` does.
    """
    with make_state(root) as state:
        os.close(state.open_file(_MARK, os.O_WRONLY | os.O_CREAT))
        lock = _locked(state)
    if lock is None:
        return False
    os.close(lock)
    return True


def take_turns(root: str, work: Callable[[], None], *, wait_s: float = 0.0) -> int:
    """Work as long as there are marks, unless another process still does after `wait_s`; returns how often that was."""
    turns = 0
    deadline = time.monotonic() + wait_s
    with make_state(root) as state:
        while _is_marked(state):
            lock = _locked(state)
            while lock is None and time.monotonic() < deadline:
                time.sleep(_PAUSE_S)
                lock = _locked(state)
            if lock is None:
                break  # whoever holds it looks for marks when it has given it back
            try:
                while _is_marked(state):
                    os.unlink(_MARK, dir_fd=state.fd)
                    work()
                    turns += 1
            finally:
                os.close(lock)
    return turns


def _is_marked(state: StateFolder) -> bool:
    return os.access(_MARK, os.F_OK, dir_fd=state.fd)


def _locked(state: StateFolder) -> int | None:
    """The lock, as an open file; None if another process has it."""
    lock = state.open_file(_LOCK, os.O_RDWR | os.O_CREAT)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        return None
    return lock
