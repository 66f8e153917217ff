"""Captured calls -> `CallSite` facts; calls that import a module -> `Import` facts."""

from __future__ import annotations

from engram.extract.facts import CallSite, Import
from engram.extract.grammar import Captures
from engram.extract.imports import imported_by_call
from engram.extract.languages import Language
from engram.extract.scopes import Scopes
from engram.extract.source import Source


def find_calls(
    captured: dict[str, list[Captures]], source: Source, scopes: Scopes, language: Language
) -> tuple[list[CallSite], list[Import]]:
    """The calls of a file in the order of their last names, and the imports among them."""
    found = []
    imports = []
    for fact, matches in captured.items():
        what, _, variety = fact.partition(".")
        if what != "call":
            continue
        new = variety == "new"
        for match in matches:
            node = match[fact][0]
            end = node.end_byte
            callee = source.callee(node)
            scope = scopes.at(node.start_byte)
            line = node.end_point[0] + 1
            arguments = source.arguments(match["arguments"][0]) if "arguments" in match else ""
            found.append((end, CallSite(scope, callee, line, new, arguments)))
            if callee in language.importers and (module := imported_by_call(end, source)):
                imports.append(Import(scope, "", module, "", line, False))
    found.sort(key=lambda row: row[0])
    imports.sort(key=lambda row: row.line)
    return [call for _, call in found], imports
