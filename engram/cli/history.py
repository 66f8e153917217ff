"""`engram history`: who changed a file, when, and what changes with it; or how far the reading of the history is."""

from __future__ import annotations

import argparse
import json
import os

from engram.cli.progress import TerminalProgress
from engram.config import load_config
from engram.engine import Engram
from engram.errors import FileUnavailable, IndexBusy, InvalidArgument
from engram.ingest.history import HistoryReport
from engram.render.history import file_history_text, file_history_wire, reading_text, reading_wire
from engram.store.file_history import FileHistory

_LIMIT, _MOST = 10, 1000
_WAIT_S = 10.0  # for another process that reads a slice; then what there is is shown


def main(name: str, args: list[str]) -> int:
    """Print the history of a file, or without one how much of the history is known."""
    parser = argparse.ArgumentParser(
        prog=f"engram {name}",
        description="Who changed a file, its last commits, and which files change with it; renames are followed.",
    )
    parser.add_argument("file", nargs="?", metavar="FILE", help="a file that is indexed; none: how far history is read")
    parser.add_argument("--repo", default=".", help="a folder in the repository (default: the current one)")
    parser.add_argument("--limit", type=int, default=_LIMIT, metavar="N", help=f"at most so many of each ({_LIMIT})")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--human", action="store_true", help="print text (the default)")
    given = parser.parse_args(args)
    if not 1 <= given.limit <= _MOST:
        raise InvalidArgument(f"--limit must be 1 to {_MOST}")
    with Engram.open(load_config(), given.repo) as engram:
        with TerminalProgress("indexing") as progress:
            engram.sync(progress=progress)
        report = _read(engram)
        if given.file is None:
            print(json.dumps(reading_wire(report)) if given.json else f"history: {reading_text(report)}")
            return 0
        found = _find(engram, given.file, given.limit)
    print(json.dumps(file_history_wire(found, report)) if given.json else file_history_text(found, report))
    return 0


def _read(engram: Engram) -> HistoryReport:
    """Read the newest commits here and now; older ones follow in the background."""
    try:
        return engram.read_history(most_slices=1, wait_s=_WAIT_S)
    except IndexBusy:
        return engram.history_report()


def _find(engram: Engram, file: str, limit: int) -> FileHistory:
    """The file by its path from the root, else from the current folder."""
    from_here = os.path.relpath(os.path.realpath(file), engram.worktree.root)
    for path in (os.path.normpath(file), from_here):
        found = engram.file_history(path, limit=limit)
        if found is not None:
            return found
    raise FileUnavailable(f"{file!a} is not indexed", "engram git log --file PATH tells the commits of any file")
