"""Captured import statements -> `Import` facts; and the modules that a call of an importing function names."""

from __future__ import annotations

import re

from tree_sitter import Node

from engram.extract.facts import Import
from engram.extract.grammar import Captures
from engram.extract.languages import Language
from engram.extract.scopes import Scopes
from engram.extract.source import Source

_STRING = re.compile(r"\(\s*(['\"`])([^'\"`\n${}]+)\1\s*[,)]")
_IMPORTED = re.compile(r"(?:await\s+)?([\w.]+)\((['\"`])([^'\"`\n${}]+)\2\)(?:\.(\w+))?$")
_MAX_LITERAL = 400  # bytes looked at; a longer name of a module is none
_QUOTES = "'\"`"


def find_imports(
    captured: dict[str, list[Captures]], source: Source, scopes: Scopes, language: Language
) -> list[Import]:
    """The imports that statements declare, in the order of the source."""
    rows = []
    for fact, matches in captured.items():
        what, _, variety = fact.partition(".")
        if what == "import":
            for match in matches:
                node = match["symbol"][0] if "symbol" in match else match[fact][0]
                rows.append((node.start_byte, *_parts(match, fact, variety, source, language)))
    rows.sort()
    place = scopes.walker()
    found = []
    for start, name, module, symbol, handed_on in rows:
        scope, line = place(start)
        found.append(tuple.__new__(Import, (scope, name, module, symbol, line, handed_on)))
    return found


def _parts(match: Captures, fact: str, variety: str, source: Source, language: Language) -> tuple[str, str, str, bool]:
    """(name, module, symbol, reexport) of one imported item."""
    if language.path_mark:
        return _of_tree(match, match[fact][0], variety, source, language.path_mark)
    module = source.node(match[fact][0]).strip(_QUOTES)
    if variety == "star":
        return "", module, "*", False
    symbols = match.get("symbol")
    aliases = match.get("name")
    symbol = source.node(symbols[0]).strip(_QUOTES) if symbols else "default" if variety == "default" else ""
    alias = source.node(aliases[0]).strip(_QUOTES) if aliases else ""
    if variety == "bare" or (symbol == "*" and not alias):
        return "", module, symbol, variety == "reexport"
    if language.module_name and not alias and not symbol and (short := re.search(language.module_name, module)):
        alias = short[1]
    return alias or symbol or module, module, symbol, variety == "reexport" or (bool(alias) and alias == symbol)


def _of_tree(match: Captures, node: Node, variety: str, source: Source, mark: str) -> tuple[str, str, str, bool]:
    """The same of a leaf in a tree of paths, where each branch says the beginning of those in it."""
    path = [source.node(node)]
    alias = source.node(match["name"][0]) if "name" in match else ""
    handed_on = False
    branch = node.parent
    while branch is not None and branch.type != "source_file":
        prefix = branch.child_by_field_name("path") if branch.type == "scoped_use_list" else None
        if prefix is not None:
            path.append(source.node(prefix))
        if branch.type == "use_declaration":
            handed_on = branch.named_children[0].type == "visibility_modifier"
            break
        branch = branch.parent
    whole = mark.join(reversed(path))
    if variety == "star":
        return "", whole, "*", handed_on
    if variety != "path":
        return alias or whole, whole, "", False
    whole = whole.removesuffix(mark + "self")
    module, _, symbol = whole.rpartition(mark)
    return alias or symbol, module or symbol, symbol if module else "", handed_on


def first_string(source: Source, end: int) -> str:
    """The plain string that the arguments after byte `end` begin with; "" if they begin with anything else."""
    found = _STRING.match(source.text, end, end + _MAX_LITERAL)
    return source.slice(*found.span(2)) if found else ""


def imported_value(value: str, importers: tuple[str, ...]) -> tuple[str, str] | None:
    """(module, symbol) of a value that imports (`require("./a").b`); None of any other value."""
    found = _IMPORTED.match(value)
    if found is None or found[1] not in importers:
        return None
    return found[3], found[4] or ""


def join_imports(declared: list[Import], bound: list[Import], called: list[Import]) -> list[Import]:
    """All imports of a file by line; those by a mere call only where nothing else there imports the module."""
    if not bound and not called:
        return declared
    named = {(row.scope, row.module) for row in declared + bound}
    unnamed = [row for row in called if (row.scope, row.module) not in named]
    return sorted(declared + bound + unnamed, key=lambda row: row.line)
