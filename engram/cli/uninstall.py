"""`engram uninstall [--purge]`: stop the server and list or remove what engram keeps."""

from __future__ import annotations

import argparse

from engram.config import load_config
from engram.errors import NotARepository
from engram.render.uninstall import remains_json, remains_text
from engram.uninstall import purge, take_down
from engram.worktree import find_worktree


def main(name: str, args: list[str]) -> int:
    """Print what is left or was removed; 1 if something could not be removed."""
    parser = argparse.ArgumentParser(prog=f"engram {name}", description="Stop the server; list or remove what is kept.")
    parser.add_argument("--purge", action="store_true", help="remove it all: journals, memory, indexes, environment")
    parser.add_argument(
        "--repo", default=".", metavar="DIR", help="a checkout whose .engram belongs to it (default: .)"
    )
    parser.add_argument("--json", action="store_true", help="one line of JSON")
    parser.add_argument("--human", action="store_true", help="text (the default)")
    wanted = parser.parse_args(args)
    config = load_config()
    try:
        here = find_worktree(wanted.repo).root
    except NotARepository:
        here = ""
    remains = take_down(config, here)
    failed = purge(config, remains) if wanted.purge else []
    print((remains_json if wanted.json else remains_text)(remains, wanted.purge, failed))
    return 1 if failed else 0
