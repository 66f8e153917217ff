"""`engram orient [TEXT]`: the places of this repository that a text is about."""

from __future__ import annotations

import argparse
import json
import sys

from engram.cli.progress import TerminalProgress
from engram.config import load_config
from engram.engine import Engram
from engram.errors import InvalidArgument
from engram.orient.map import DEFAULT_LIMIT, MAX_LIMIT
from engram.render.map import explain_map, map_to_wire, render_map

MAX_BYTES = 1 << 20  # of standard input that are read; a query is made of the first 60,000 characters


def main(name: str, args: list[str]) -> int:
    """Print the map of the text given, or of standard input where that is no terminal."""
    options = _parser(name).parse_args(args)
    if not 1 <= options.limit <= MAX_LIMIT:
        raise InvalidArgument(f"--limit {options.limit} is outside of 1 to {MAX_LIMIT}")
    text = " ".join(options.text) if options.text else _standard_input()
    if not text.strip():
        raise InvalidArgument("there is no text to orient by", "give it as an argument or on standard input")
    with Engram.open(load_config(), options.repo) as engram:
        with TerminalProgress("indexing") as progress:
            engram.sync(progress=progress)
        found = engram.orient(text, limit=options.limit)
    if options.json:
        print(json.dumps(map_to_wire(found), ensure_ascii=False, indent=None))
    elif options.explain:
        print(_printable(explain_map(found)))
    else:
        print(_printable(render_map(found)))
    return 0


def _parser(name: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"engram {name}", description="Print the places that a text is about.")
    parser.add_argument("text", nargs="*", help="an issue, a prompt; without it, standard input is read")
    parser.add_argument("--repo", default=".", metavar="DIR", help="the repository (default: the one of this folder)")
    parser.add_argument("--limit", type=int, default=DEFAULT_LIMIT, help=f"places and files at most ({DEFAULT_LIMIT})")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--human", action="store_true", help="print text (the default)")
    parser.add_argument("--explain", action="store_true", help="print the evidence of each place")
    return parser


def _standard_input() -> str:
    if sys.stdin is None or sys.stdin.isatty():
        return ""
    return sys.stdin.buffer.read(MAX_BYTES).decode("utf-8", "replace")


def _printable(text: str) -> str:
    """The text with what standard output cannot encode written as escapes: file names may be any bytes."""
    encoding = sys.stdout.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)
