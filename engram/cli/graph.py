"""`engram callers`, `callees`, `symbols`: questions to the code graph, after bringing it up to date."""

from __future__ import annotations

import argparse
import json

from engram.cli.progress import TerminalProgress
from engram.config import load_config
from engram.engine import Engram
from engram.model import Call, Symbol
from engram.render.graph import call_wire, callees_text, callers_text, symbol_wire, symbols_text

_ABOUT = {
    "callers": "Who calls a symbol.  What only may be a call is listed apart.",
    "callees": "What a symbol calls.  What only may be a call is listed apart.",
    "symbols": "The symbols whose qualified name holds a text.",
}
_MOST = 10_000


def main(name: str, args: list[str]) -> int:
    """Answer one of the three questions."""
    given = _parser(name).parse_args(args)
    with Engram.open(load_config(), given.repo) as engram:
        with TerminalProgress("indexing") as progress:
            engram.sync(progress=progress)
        if name == "symbols":
            _print_symbols(engram.symbols(given.symbol or "", limit=given.limit + 1), given)
        else:
            symbol = engram.find_symbol(given.symbol)
            ask = engram.callers if name == "callers" else engram.callees
            _print_calls(name, symbol, ask(symbol, limit=given.limit + 1), given)
    return 0


def _parser(name: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"engram {name}", description=_ABOUT[name])
    if name == "symbols":
        parser.add_argument("symbol", nargs="?", metavar="PATTERN", help="a part of the name, in any case")
    else:
        parser.add_argument(
            "symbol", metavar="SYMBOL", help="a name, a qualified name (Class.method) or an id (path#qualname)"
        )
    parser.add_argument("--repo", default=".", help="a folder in the repository (default: the current one)")
    parser.add_argument("--limit", type=_limit, default=50, help=f"print at most so many (50, at most {_MOST:,})")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--human", action="store_true", help="print text (the default)")
    return parser


def _limit(text: str) -> int:
    value = int(text)
    if not 1 <= value <= _MOST:
        raise argparse.ArgumentTypeError(f"{value} is outside of 1 to {_MOST}")
    return value


def _print_symbols(found: list[Symbol], given: argparse.Namespace) -> None:
    shown, more = found[: given.limit], len(found) > given.limit
    if given.json:
        print(json.dumps({"symbols": [symbol_wire(symbol) for symbol in shown], "truncated": more}))
    else:
        print(symbols_text(shown, more=more))


def _print_calls(name: str, symbol: Symbol, found: list[Call], given: argparse.Namespace) -> None:
    shown, more = found[: given.limit], len(found) > given.limit
    if given.json:
        print(json.dumps({"symbol": symbol_wire(symbol), name: [call_wire(call) for call in shown], "truncated": more}))
    else:
        print((callers_text if name == "callers" else callees_text)(symbol, shown, more=more))
