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
    found = []
    for fact, matches in captured.items():
        what, _, variety = fact.partition(".")
        if what == "import":
            for match in matches:
                node = (match.get("name") or match.get("symbol") or match[fact])[0]
                found.append((node.start_byte, _import(match, fact, variety, source, scopes)))
    found.sort()
    return [row for _, row in found]


def _import(match: Captures, fact: str, variety: str, source: Source, scopes: Scopes) -> Import:
    node = match[fact][0]
    module = source.expression(node).strip(_QUOTES)
    symbol = source.expression(match["symbol"][0]).strip(_QUOTES) if "symbol" in match else ""
    alias = source.expression(match["name"][0]).strip(_QUOTES) if "name" in match else ""
    if variety == "default":
        symbol = "default"
    bound = variety != "bare" and (symbol != "*" or bool(alias))
    name = (alias or symbol or module) if bound else ""
    line = (match.get("symbol") or match[fact])[0].start_point[0] + 1
    handed_on = variety == "reexport" or (bool(alias) and alias == symbol)
    return Import(scopes.at(node.start_byte), name, module, symbol, line, handed_on)


def imported_by_call(end: int, source: Source) -> str:
    """The module that a call of an importing function names literally; "" if it does not.

    `end` is the byte after the callee.
    """
    argument = _LITERAL.match(source.text, end, end + _MAX_LITERAL)
    return source.slice(*argument.span(2)) if argument else ""
