"""Starts the process that takes into index and graph what hooks have journaled; nobody waits for it."""

from __future__ import annotations

import os

from engram.activity.turn import want_worker
from engram.hooks.sync import is_indexed_unasked
from engram.spawn import start_detached

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram.worktree import Worktree

LOG = "activity.log"


def start_worker(home: str, worktree: Worktree) -> bool:
    """Start it for the checkout, unless it is at work there already; returns whether it was started.

    Nothing is started in a large folder without git either.  Raises OSError, JournalError where nothing can be written.
    """
    if not is_indexed_unasked(worktree) or not want_worker(worktree.root):
        return False
    os.makedirs(home, mode=0o700, exist_ok=True)
    os.chdir(worktree.root)  # inside a client, a process may index the checkout that it stands in
    start_detached(["activity", "--background", "--repo", worktree.root], os.path.join(home, LOG))
    return True
