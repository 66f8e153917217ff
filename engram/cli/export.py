"""`engram export calls`: the call graph of this checkout as JSON lines."""

from __future__ import annotations

import argparse
import sys

from engram.config import load_config
from engram.render.export import call_line
from engram.store.callgraph import find_all_calls
from engram.store.graph import Graph
from engram.store.keys import graph_keys
from engram.store.server import open_connection
from engram.worktree import permitted_worktree


def main(name: str, args: list[str]) -> int:
    """Print one JSON object per call edge, facts and possible ones; reads the graph as it was last indexed."""
    parser = argparse.ArgumentParser(
        prog=f"engram {name}",
        description="Print the call graph of this repository, one JSON object a line: "
        '{"caller": [file, qualname], "callee": [file, qualname], "line", "confidence"}. '
        "A confidence of 0.8 and more is a fact, less is possible.",
    )
    parser.add_argument("what", choices=["calls"], help="what to print")
    parser.add_argument("--repo", default=".", metavar="DIR", help="the repository (default: the current folder)")
    parser.add_argument("--json", action="store_true", help="JSON lines (the default, and the only form)")
    wanted = parser.parse_args(args)
    config = load_config()
    keys = graph_keys(config, permitted_worktree(wanted.repo, in_client=config.in_client))
    with open_connection(config) as connection:
        rows = find_all_calls(Graph(connection, keys.graph))
    sys.stdout.writelines([call_line(row) + "\n" for row in rows])
    return 0
