"""`engram setup`: have the packages and the graph engine installed now, and say where they are.

bin/engram installs what is missing before this runs, as it does for every command that needs the engine.  What it
then made for other versions and nobody uses any more is removed here.
"""

from __future__ import annotations

import argparse
import os

from engram.config import load_config
from engram.environment.installed import find_installed
from engram.environment.key import recorded_key
from engram.environment.unused import remove_unused
from engram.render.environment import environment_json, environment_text


def main(name: str, args: list[str]) -> int:
    """Print where the environment is; 1 where the engine is missing, as in an installation without it."""
    parser = argparse.ArgumentParser(prog=f"engram {name}", description="Install what is missing and say where it is.")
    parser.add_argument("--json", action="store_true", help="one line of JSON")
    parser.add_argument("--human", action="store_true", help="text (the default)")
    wanted = parser.parse_args(args)
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    remove_unused(os.path.join(load_config().home, "env"), keep=recorded_key(root))
    installed = find_installed()
    print(environment_json(installed) if wanted.json else environment_text(installed))
    return 0 if installed.engine else 1
