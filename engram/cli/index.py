"""`engram index`."""

from __future__ import annotations

import argparse
import json

from engram.cli.progress import TerminalProgress
from engram.config import load_config
from engram.engine import Engram
from engram.render.index import index_text, index_wire


def main(name: str, args: list[str]) -> int:
    """Bring the index of a checkout up to date and print what was done."""
    parser = argparse.ArgumentParser(prog=f"engram {name}", description="Bring the graph of a repository up to date.")
    parser.add_argument("--repo", default=".", help="a folder in the repository (default: the current one)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--human", action="store_true", help="print text (the default)")
    parser.add_argument("--rebuild", action="store_true", help="build the index anew, whatever has changed")
    given = parser.parse_args(args)
    with Engram.open(load_config(), given.repo) as engram, TerminalProgress("indexing") as progress:
        report = engram.sync(rebuild=given.rebuild, detailed=True, progress=progress)
    print(json.dumps(index_wire(report)) if given.json else index_text(report))
    return 0
