"""What a run of the indexer did."""

from __future__ import annotations

from collections.abc import Callable

from engram.model import Value

Progress = Callable[[int, int], None]  # files done, files to do


class IndexReport(Value):
    """The outcome of a run: `mode` is "built", "updated" or "fresh" (nothing had changed).

    `skipped` counts files that were left out, by reason, `issues` what was wrong with files that are indexed; both are
    empty unless the run was a detailed one.  `indexed_at` is in epoch seconds.
    """

    mode: str
    files: int
    changed: int
    removed: int
    symbols: int
    calls: int
    skipped: dict[str, int]
    issues: dict[str, int]
    seconds: float
    indexed_at: float


def no_progress(done: int, total: int) -> None:
    """Shows nothing."""
