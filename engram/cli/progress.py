"""A progress display on the terminal; silent where the standard error is none."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

_FEWEST = 30  # files; fewer are read before an eye could follow


class TerminalProgress:
    """Call it with (files done, files to do); leave it to clear the line."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._shown: RichProgress | None = None
        self._task: TaskID | None = None
        self._wanted = sys.stderr.isatty()

    def __call__(self, done: int, total: int) -> None:
        if not self._wanted or total < _FEWEST:
            return
        if self._shown is None:
            self._start(total)
        if self._shown is not None and self._task is not None:
            self._shown.update(self._task, completed=done)

    def _start(self, total: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        self._shown = Progress(*columns, console=Console(stderr=True), transient=True)
        self._shown.start()
        self._task = self._shown.add_task(self._what, total=total)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown is not None:
            self._shown.stop()
