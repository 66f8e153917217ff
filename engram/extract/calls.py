"""Captured calls -> `CallSite` facts; calls that import a module -> `Import` facts."""

from __future__ import annotations

from tree_sitter import Node

from engram.extract.facts import CallSite, Import
from engram.extract.grammar import Captures
from engram.extract.imports import first_string
from engram.extract.languages import Language
from engram.extract.scopes import Scopes
from engram.extract.shortening import LONG, callee_text
from engram.extract.source import Source


def find_calls(
    captured: dict[str, list[Captures]], source: Source, scopes: Scopes, language: Language
) -> tuple[list[CallSite], list[Import]]:
    """The calls of a file in the order in which their callees end, and the imports among them."""
    text, place, importers = source.text, scopes.walker(), language.importers
    plain = not source.chain_marks
    calls = []
    imports = []
    for end, start, _, node, new in captured_calls(captured):
        scope, line = place(end - 1)  # `raise Foo` may end where its function does
        callee = text[start:end] if plain and end - start <= LONG else ""
        if not callee or "\n" in callee or not callee.isascii():
            callee = callee_text(node, source)
        calls.append(tuple.__new__(CallSite, (scope, callee, line, new)))
        if callee in importers and (module := first_string(source, end)):
            imports.append(Import(scope, "", module, "", line, False))
    return calls, imports


def captured_calls(captured: dict[str, list[Captures]]) -> list[tuple[int, int, int, Node, bool]]:
    """(end of the callee, its start, a tie-breaker, its node, `new`) of each call, in bytes and in that order."""
    rows: list[tuple[int, int, int, Node, bool]] = []
    for fact, matches in captured.items():
        if fact.startswith("call"):
            new = fact == "call.new"
            for match in matches:
                node = match[fact][0]
                start, end = node.byte_range
                rows.append((end, start, len(rows), node, new))
    rows.sort()
    return rows
