"""`engram query CYPHER`: a read-only query on the graph of this checkout."""

from __future__ import annotations

import argparse

from engram.config import load_config
from engram.render.query import answer_json, answer_text
from engram.store.graph import Graph
from engram.store.guard import MAX_ROWS, run_query
from engram.store.keys import graph_keys
from engram.store.server import open_connection
from engram.worktree import permitted_worktree


def main(name: str, args: list[str]) -> int:
    """Print the rows; nothing is written, and a text that might do more than read the graph is not even sent."""
    parser = argparse.ArgumentParser(
        prog=f"engram {name}",
        description="Run a read-only Cypher query on the graph of this repository, as it was last indexed.",
    )
    parser.add_argument("cypher", help="for example: MATCH (f:File) RETURN f.path ORDER BY f.lines DESC LIMIT 5")
    parser.add_argument("--repo", default=".", metavar="DIR", help="the repository (default: the current folder)")
    parser.add_argument("--limit", type=_limit, default=100, metavar="N", help=f"rows shown, 1 to {MAX_ROWS} (100)")
    parser.add_argument("--json", action="store_true", help="one line of JSON")
    parser.add_argument("--human", action="store_true", help="text (the default)")
    wanted = parser.parse_args(args)
    config = load_config()
    keys = graph_keys(config, permitted_worktree(wanted.repo, in_client=config.in_client))
    with open_connection(config) as connection:
        answer = run_query(Graph(connection, keys.graph), wanted.cypher, limit=wanted.limit)
    print(answer_json(answer) if wanted.json else answer_text(answer))
    return 0


def _limit(text: str) -> int:
    number = int(text)
    if not 1 <= number <= MAX_ROWS:
        raise argparse.ArgumentTypeError(f"{number} is outside of 1 to {MAX_ROWS}")
    return number
