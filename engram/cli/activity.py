"""`engram activity` and `engram claims`."""

from __future__ import annotations

import argparse
import json
import os

from engram.config import load_config
from engram.engine import Engram
from engram.errors import EngineMissing, InvalidArgument, ServerUnavailable
from engram.render.activity import activity_text, activity_wire, claims_text, released_text
from engram.render.claims import claim_wire

_SESSIONS, _FILES = 10, 20  # a screen or two
_WAIT_S = (
    60.0  # for another process that takes in what sessions did, a first index included; then what there is is shown
)
_NICE = 10  # whatever else the machine does is more urgent


def main(name: str, args: list[str]) -> int:
    """Print what the sessions of a checkout did, or its open claims; or release one."""
    return _claims(args) if name == "claims" else _activity(args)


def _activity(args: list[str]) -> int:
    parser = _parser("activity", "What the sessions of a repository read and edited, when, and what they claim.")
    parser.add_argument("--limit", type=int, default=_SESSIONS, metavar="N", help=f"sessions shown ({_SESSIONS})")
    parser.add_argument("--files", type=int, default=_FILES, metavar="N", help=f"files of each ({_FILES})")
    parser.add_argument("--background", action="store_true", help="only bring index and graph up to date; for hooks")
    given = parser.parse_args(args)
    if given.background:
        return _follow(given.repo)
    if given.limit < 1 or given.files < 1:
        raise InvalidArgument("--limit and --files must be 1 or more")
    with Engram.open(load_config(), given.repo) as engram:
        engram.follow(unasked=True, wait_s=_WAIT_S)
        sessions, claims = engram.sessions(limit=given.limit, files=given.files), engram.claims()
    print(json.dumps(activity_wire(sessions, claims)) if given.json else activity_text(sessions, claims))
    return 0


def _follow(repo: str) -> int:
    os.nice(_NICE)
    try:
        with Engram.open(load_config(), repo) as engram:
            engram.follow()
    except (EngineMissing, ServerUnavailable) as error:  # the journal keeps it all for the next time
        print(f"nothing done: {error.message}")
    return 0


def _claims(args: list[str]) -> int:
    parser = _parser("claims", "Which files are being edited right now, here and in the repository's other checkouts.")
    parser.add_argument("action", nargs="?", choices=["release"], help="end the claim on a file")
    parser.add_argument("path", nargs="?", metavar="PATH", help="the file to release")
    given = parser.parse_args(args)
    if bool(given.action) != bool(given.path):
        parser.error("release needs the PATH of a file")
    with Engram.open(load_config(), given.repo) as engram:
        if not given.action:
            claims = engram.claims()
            print(json.dumps([claim_wire(claim) for claim in claims]) if given.json else claims_text(claims))
            return 0
        path = os.path.relpath(os.path.realpath(given.path), engram.worktree.root)
        sessions = engram.release(path)
    print(json.dumps({"path": path, "released": sessions}) if given.json else released_text(path, sessions))
    return 0


def _parser(name: str, description: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"engram {name}", description=description)
    parser.add_argument("--repo", default=".", help="a folder in the repository (default: the current one)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--human", action="store_true", help="print text (the default)")
    return parser
