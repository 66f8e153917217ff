"""Bring the index up to date in a process of its own, which nobody waits for."""

from __future__ import annotations

import os
import time

from engram.spawn import start_detached

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram.hooks.context import HookContext

_PAUSE_S = 10.0  # between two starts for one checkout: whoever asks meanwhile is served by the one that runs


def start_sync(context: HookContext) -> bool:
    """Start `engram index` for the checkout, and the server with it; whether one was started now.

    The time of its log tells when one was started last; a time to come (the clock was set back) does not count.
    Raises OSError where ENGRAM_HOME cannot be written.
    """
    folder = os.path.join(context.config.home, "sync")
    os.makedirs(folder, mode=0o700, exist_ok=True)
    log = os.path.join(folder, context.keys.base.rpartition(":")[2] + ".log")
    try:
        since = time.time() - os.stat(log).st_mtime
    except FileNotFoundError:
        since = _PAUSE_S
    if 0 <= since < _PAUSE_S:
        return False
    start_detached(["index", "--repo", context.worktree.root], log)
    return True
