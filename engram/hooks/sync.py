"""Bring the index up to date in a process of its own, which nobody waits for."""

from __future__ import annotations

import os
import time

from engram.errors import NotARepository
from engram.hooks.log import log_failure
from engram.spawn import start_detached

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram.hooks.context import HookContext
    from engram.worktree import Worktree

_MOST_ENTRIES = 10_000  # of a folder without git: a client may be opened in /usr, which nobody wants to have indexed
_PAUSE_S = 10.0  # between two starts for one checkout: whoever asks meanwhile is served by the one that runs


def start_sync(context: HookContext) -> bool:
    """Start `engram index` for the checkout, and the server with it; whether one was started, now or just before.

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
        log = os.path.join(folder, context.keys.base.rpartition(":")[2] + ".log")
        if not _is_recent(log):
            os.chdir(context.worktree.root)  # inside a client, a process may index the checkout that it stands in
            start_detached(["index", "--repo", context.worktree.root], log)
    except OSError as error:
        log_failure(context.config.home, context.name, error)
        return False
    return True


def _is_recent(log: str) -> bool:
    """Whether a sync was started just now, by the time of its log; one to come (the clock was set back) is none."""
    try:
        return 0 <= time.time() - os.stat(log).st_mtime < _PAUSE_S
    except FileNotFoundError:
        return False


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
