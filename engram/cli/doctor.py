"""`engram doctor`: check that everything works, and say what to do where it does not."""

from __future__ import annotations

import argparse

from engram.doctor import FAILED, examine
from engram.render.doctor import checks_json, checks_text


def main(name: str, args: list[str]) -> int:
    """Print all checks; 1 if any failed."""
    parser = argparse.ArgumentParser(prog=f"engram {name}", description="Check that everything works.")
    parser.add_argument("--repo", default=".", metavar="DIR", help="the repository (default: the current folder)")
    parser.add_argument("--json", action="store_true", help="one line of JSON")
    parser.add_argument("--human", action="store_true", help="text (the default)")
    wanted = parser.parse_args(args)
    checks = examine(wanted.repo)
    print(checks_json(checks) if wanted.json else checks_text(checks))
    return 1 if any(check.state == FAILED for check in checks) else 0
