"""`engram index`."""

from __future__ import annotations

import argparse
import json

from engram.cli.progress import TerminalProgress
from engram.config import load_config
from engram.engine import Engram
from engram.errors import JournalError
from engram.journal.log import Journal
from engram.journal.session import session_id
from engram.journal.upkeep import prune_if_due
from engram.render.history import reading_text, reading_wire
from engram.render.index import index_text, index_wire
from engram.render.journal import pruned_text


def main(name: str, args: list[str]) -> int:
    """Bring the index of a checkout up to date and print what was done."""
    parser = argparse.ArgumentParser(prog=f"engram {name}", description="Bring the graph of a repository up to date.")
    parser.add_argument("--repo", default=".", help="a folder in the repository (default: the current one)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--human", action="store_true", help="print text (the default)")
    parser.add_argument("--rebuild", action="store_true", help="build the index anew, whatever has changed")
    parser.add_argument(
        "--background", action="store_true", help="prune the journal, too, where that is due; for hooks"
    )
    given = parser.parse_args(args)
    with Engram.open(load_config(), given.repo) as engram, TerminalProgress("indexing") as progress:
        report = engram.sync(rebuild=given.rebuild, detailed=True, progress=progress)
        history = engram.history_report()
        has_history = bool(engram.worktree.git_dir)
    if given.json:
        print(json.dumps({**index_wire(report), "history": reading_wire(history)}))
    else:
        print(index_text(report))
        if has_history:
            print(f"history: {reading_text(history)}")
    if given.background:
        _prune(engram.worktree.root)
    return 0


def _prune(root: str) -> None:
    try:
        pruned = prune_if_due(Journal(root), session=session_id())
    except JournalError as error:  # nobody waits for it, and the next one is due tomorrow
        print(f"the journal was not pruned: {error.message}")
        return
    if pruned.entries:
        print(pruned_text(pruned))
