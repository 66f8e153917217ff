"""`engram refine`: the deeper pass over the call graph, which a new index starts by itself in the background."""

from __future__ import annotations

import argparse
import os

from engram.config import load_config
from engram.engine import Engram
from engram.errors import ServerUnavailable

_NICE = 10  # whatever else the machine does is more urgent


def main(name: str, args: list[str]) -> int:
    """Refine the calls of a checkout and print for how many files that told more."""
    parser = argparse.ArgumentParser(
        prog=f"engram {name}",
        description="Sharpen the call graph by what calls pass for parameters. Runs by itself after an index.",
    )
    parser.add_argument("--repo", default=".", help="a folder in the repository (default: the current one)")
    parser.add_argument("--background", action="store_true", help="do not start the graph server for it")
    given = parser.parse_args(args)
    os.nice(_NICE)
    try:
        with Engram.open(load_config(), given.repo, start=not given.background) as engram:
            changed = engram.refine()
    except ServerUnavailable:
        if given.background:
            return 0  # stopped meanwhile: so is all that this was for
        raise
    print("nothing to refine" if changed is None else f"refined the calls of {changed:,} files")
    return 0
