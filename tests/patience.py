"""How long tests wait: for conditions, never for a time to pass, and with limits that only a fault reaches.

The suite runs beside a download, on few cores and a disk that is being written back to: there a process has been seen
to take ten times as long as alone, and what is forced to the disk ten seconds.
"""

from __future__ import annotations

import time
from collections.abc import Callable

LIMIT_S = 400.0
PATIENCE = (
    "20"  # ENGRAM_PATIENCE of the tests: a hook that is short of time says nothing, which is not what they ask for
)


def wait_until(condition: Callable[[], object], what: str | Callable[[], object], limit_s: float = LIMIT_S) -> None:
    """Return once the condition holds; fails with `what`, or what it returns, where that does not come."""
    deadline = time.monotonic() + limit_s
    while not condition():
        assert time.monotonic() < deadline, what() if callable(what) else what
        time.sleep(0.02)
