"""The memory and processor time of processes and of all that they start, from Linux's /proc."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from types import TracebackType
from typing import Self

_PAUSE_S = 0.25  # a look at one process of 500 MB takes 2 ms


def resident_mb(pid: int) -> float:
    """The process's part of the memory: pages that several share count once in all (PSS); 0 where it has ended."""
    try:
        with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as rollup:
            return next((int(line.split()[1]) / 1024 for line in rollup if line.startswith("Pss:")), 0.0)
    except OSError:
        return 0.0


def cpu_seconds(pid: int) -> float:
    """Processor time that the process has used, without that of its children."""
    fields = _stat(pid)
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") if fields else 0.0


def descendants(roots: Sequence[int]) -> list[int]:
    """The processes and all that they have started, theirs included."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        if name.isdigit() and (fields := _stat(int(name))):
            children.setdefault(int(fields[1]), []).append(int(name))
    found: list[int] = []
    waiting = list(roots)
    while waiting:
        found.append(waiting.pop())
        waiting += children.get(found[-1], [])
    return found


class PeakMemory:
    """Watches the sum over processes while it is entered; `mb` is the highest seen, `parts` what made it up."""

    def __init__(self, roots: Sequence[int]) -> None:
        self._roots = roots
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self.mb = 0.0
        self.parts: list[float] = []

    def _watch(self) -> None:
        while not self._stop.wait(_PAUSE_S):
            parts = [resident_mb(pid) for pid in descendants(self._roots)]
            if sum(parts) > self.mb:
                self.mb, self.parts = sum(parts), sorted(parts, reverse=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()


def _stat(pid: int) -> list[str]:
    """The fields of /proc/PID/stat after the name; none where the process has ended."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as stat:
            return stat.read().rpartition(")")[2].split()
    except OSError:
        return []
