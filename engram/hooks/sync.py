"""Bring the index up to date in a process of its own, which nobody waits for."""

from __future__ import annotations

import fcntl
import os

from engram.errors import NotARepository
from engram.hooks.log import log_failure
from engram.spawn import start_detached

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram.hooks.context import HookContext
    from engram.worktree import Worktree

_MOST_ENTRIES = 10_000  # of a folder without git: a client may be opened in /usr, which nobody wants to have indexed


def start_sync(context: HookContext) -> bool:
    """Start `engram index` for the checkout, and the server with it, unless one that a hook has started is at work;
    whether one is, now.

    Where ENGRAM_HOME cannot be written, none is started, and what the hook has to say is said all the same; nor is one
    in a large folder without git, which `engram index` does.
    """
    if not is_indexed_unasked(context.worktree):
        error = NotARepository(f"a folder without git and with more than {_MOST_ENTRIES} entries")
        log_failure(context.config.home, context.name, error)
        return False
    try:
        folder = os.path.join(context.config.home, "sync")
        os.makedirs(folder, mode=0o700, exist_ok=True)
        _start_alone(os.path.join(folder, context.keys.base.rpartition(":")[2] + ".log"), context.worktree.root)
    except OSError as error:
        log_failure(context.config.home, context.name, error)
        return False
    return True


def _start_alone(log: str, root: str) -> None:
    """Start it under a lock on its log, which it inherits: the kernel frees it however the process ends."""
    descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:  # whoever asks meanwhile is served by the one that is at work, or asks again
        os.close(descriptor)
        return
    try:
        os.ftruncate(descriptor, 0)
        os.chdir(root)  # inside a client, a process may index the checkout that it stands in
        start_detached(["index", "--background", "--repo", root], descriptor)
    finally:
        os.close(descriptor)


def is_indexed_unasked(worktree: Worktree) -> bool:
    """Whether a hook may have the checkout indexed: any with git, and a folder without it that is not too large."""
    return bool(worktree.git_dir) or _is_modest(worktree.root)


def _is_modest(root: str) -> bool:
    """Whether there are at most _MOST_ENTRIES below the folder, as far as it can be read."""
    left, pending = _MOST_ENTRIES, [root]
    while pending:
        try:
            with os.scandir(pending.pop()) as entries:
                for entry in entries:
                    left -= 1
                    if left < 0:
                        return False
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(entry.path)
        except OSError:
            continue
    return True
