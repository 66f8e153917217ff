"""Captured import statements -> `Import` facts; and the modules that a call of an importing function names."""

from __future__ import annotations

import re

from engram.extract.facts import Import
from engram.extract.grammar import Captures
from engram.extract.scopes import Scopes
from engram.extract.source import Source

_LITERAL = re.compile(r"\(\s*(['\"`])([^'\"`\n${}]+)\1\s*[,)]")  # an argument list that begins with a plain string
_MAX_LITERAL = 400  # bytes looked at; a longer name of a module is none
_QUOTES = "'\"`"


def find_imports(captured: dict[str, list[Captures]], source: Source, scopes: Scopes) -> list[Import]:
    """The imports that statements declare, in the order of the source."""
    rows = []
    for fact, matches in captured.items():
        what, _, variety = fact.partition(".")
        if what == "import":
            for match in matches:
                node = match["symbol"][0] if "symbol" in match else match[fact][0]
                rows.append((node.start_byte, *_parts(match, fact, variety, source)))
    rows.sort()
    place = scopes.walker()
    found = []
    for start, name, module, symbol, handed_on in rows:
        scope, line = place(start)
        found.append(tuple.__new__(Import, (scope, name, module, symbol, line, handed_on)))
    return found


def _parts(match: Captures, fact: str, variety: str, source: Source) -> tuple[str, str, str, bool]:
    """(name, module, symbol, reexport) of one imported item."""
    module = source.node(match[fact][0]).strip(_QUOTES)
    symbol = source.node(match["symbol"][0]).strip(_QUOTES) if "symbol" in match else ""
    alias = source.node(match["name"][0]).strip(_QUOTES) if "name" in match else ""
    if variety == "default":
        symbol = "default"
    bound = variety != "bare" and (symbol != "*" or bool(alias))
    name = (alias or symbol or module) if bound else ""
    return name, module, symbol, variety == "reexport" or (bool(alias) and alias == symbol)


def imported_by_call(end: int, source: Source) -> str:
    """The module that a call of an importing function names literally; "" if it does not.

    `end` is the byte after the callee.
    """
    argument = _LITERAL.match(source.text, end, end + _MAX_LITERAL)
    return source.slice(*argument.span(2)) if argument else ""
