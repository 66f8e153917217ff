"""Which file of today a path was, as a commit of some time ago named it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Container, Sequence
from typing import NamedTuple

from engram.history.facts import Commit

type Order = tuple[int, int]  # when a commit came into the history, then its place in it: the later the larger


class _Rename(NamedTuple):
    order: Order
    new: str


def order_of(commits: Sequence[Commit], position: int) -> Order:
    """Where the commit at a position of the list, whose first is the newest, stands in time."""
    return commits[position].committed, -position


class Lineage:
    """The renames of a history, whose newest commit comes first, seen from the files that there are today.

    A path leads to a file by the first rename after the commit, the first after that, and so on: a new file under the
    old name does not take over the old one's history.  A path that nothing renamed afterwards is the file of its name;
    so a file that was deleted and came back is one file.  A branch may change a path that was renamed elsewhere: if no
    rename came after and no file has the name, it leads on by the last one before, unless it was made anew since.
    """

    def __init__(self, commits: Sequence[Commit], files: Container[str]) -> None:
        self._files = files
        self._renames: dict[str, list[_Rename]] = {}
        self._added: dict[str, list[Order]] = {}
        for position in range(len(commits) - 1, -1, -1):
            for old, new in commits[position].renamed:
                self._renames.setdefault(old, []).append(_Rename(order_of(commits, position), new))
        for position, commit in enumerate(commits):
            for path in commit.added:
                if path in self._renames:
                    self._added.setdefault(path, []).append(order_of(commits, position))
        for steps in self._renames.values():
            steps.sort()

    def today(self, path: str, order: Order) -> str | None:
        """The path today of the file that a commit of this order touched as `path`; None if it is not there."""
        if path not in self._renames:
            return path if path in self._files else None
        tried: set[str] = set()
        while True:
            steps = self._renames.get(path, [])
            later = bisect_right(steps, order, key=lambda step: step.order)
            if later < len(steps):
                order, path = steps[later]
                continue
            if path in self._files:
                return path
            if not steps or path in tried or self._is_new(path, steps[-1].order, order):
                return None
            tried.add(path)
            order, path = steps[-1]

    def _is_new(self, path: str, since: Order, until: Order) -> bool:
        return any(since < order <= until for order in self._added.get(path, ()))
