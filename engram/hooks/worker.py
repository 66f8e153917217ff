"""Starts the process that takes into index and graph what hooks have journaled; nobody waits for it."""

from __future__ import annotations

import os

from engram.activity.turn import want_worker
from engram.spawn import start_detached

LOG = "activity.log"


def start_worker(home: str, root: str) -> bool:
    """Start it for the checkout at `root`, unless it is at work there already; returns whether it was started.

    Raises OSError, JournalError where nothing can be written.
    """
    if not want_worker(root):
        return False
    os.makedirs(home, mode=0o700, exist_ok=True)
    start_detached(["activity", "--background", "--repo", root], os.path.join(home, LOG))
    return True
