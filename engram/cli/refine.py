"""`engram refine`: what follows an index and nobody waits for: the deeper pass over the calls, and the git history."""

from __future__ import annotations

import argparse
import os

from engram.config import load_config
from engram.engine import Engram
from engram.errors import GitError, IndexBusy, ServerUnavailable
from engram.render.history import reading_text

_NICE = 10  # whatever else the machine does is more urgent
_ROUNDS = 3  # a rebase moves HEAD with every commit; the next index starts what is left
_WAIT_S = 30.0  # for another process that reads a slice of the history


def main(name: str, args: list[str]) -> int:
    """Refine the calls of a checkout, read its history, and print what that gave."""
    parser = argparse.ArgumentParser(
        prog=f"engram {name}",
        description="Sharpen the call graph by what calls pass for parameters, and read the git history. "
        "Runs by itself after an index.",
    )
    parser.add_argument("--repo", default=".", help="a folder in the repository (default: the current one)")
    parser.add_argument("--background", action="store_true", help="do not start the graph server for it")
    parser.add_argument("--history", action="store_true", help="leave the calls alone")
    given = parser.parse_args(args)
    os.nice(_NICE)
    try:
        with Engram.open(load_config(), given.repo, start=not given.background) as engram:
            _work(engram, calls=not given.history)
    except ServerUnavailable:
        if given.background:
            return 0  # stopped meanwhile: so is all that this was for
        raise
    return 0


def _work(engram: Engram, *, calls: bool) -> None:
    """The newest commits first, because they are read in a second; then the calls, then the older commits."""
    _read_history(engram, 1)
    if calls:
        changed = engram.refine()
        print("nothing to refine" if changed is None else f"refined the calls of {changed:,} files")
    _read_history(engram, None)
    for _ in range(_ROUNDS):
        if engram.claim_history():  # HEAD has moved meanwhile, and whoever saw it left it to this process
            _read_history(engram, None)


def _read_history(engram: Engram, most_slices: int | None) -> None:
    try:
        report = engram.read_history(most_slices=most_slices, wait_s=_WAIT_S)
    except (GitError, IndexBusy) as error:
        print(f"history: {error.message}")
        return
    if most_slices is None:
        engram.release_history()
        print(f"history: {reading_text(report)}")
