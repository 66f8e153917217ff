"""Captured calls -> `CallSite` facts; calls that import a module -> `Import` facts."""

from __future__ import annotations

from engram.extract.facts import MAX_EXPRESSION, CallSite, Import
from engram.extract.grammar import Captures
from engram.extract.imports import first_string
from engram.extract.languages import Language
from engram.extract.scopes import Scopes
from engram.extract.source import Source

_NOTHING = (0, 0)


def find_calls(
    captured: dict[str, list[Captures]], source: Source, scopes: Scopes, language: Language
) -> tuple[list[CallSite], list[Import]]:
    """The calls of a file in the order in which their callees end, and the imports among them."""
    text, expression, place, importers = source.text, source.expression, scopes.walker(), language.importers
    calls = []
    imports = []
    chained = source.has_marks
    for end, start, first, last, new in _captured_calls(captured):
        scope, line = place(end)
        callee = text[start:end]
        if end - start > MAX_EXPRESSION or "\n" in callee or chained or not callee.isascii():
            callee = source.callee(start, end)
        passed = expression(first + 1, last - 1) if last > first + 2 and text[first] == "(" else ""
        calls.append(tuple.__new__(CallSite, (scope, callee, line, new, passed)))
        if callee in importers and (module := first_string(passed)):
            imports.append(Import(scope, "", module, "", line, False))
    return calls, imports


def _captured_calls(captured: dict[str, list[Captures]]) -> list[tuple[int, int, int, int, bool]]:
    """(end and start of the callee, start and end of the arguments, `new`) of each call, in bytes and in that order."""
    rows = []
    for fact, matches in captured.items():
        if fact.startswith("call"):
            new = fact == "call.new"
            for match in matches:
                start, end = match[fact][0].byte_range
                arguments = match.get("arguments")
                rows.append((end, start, *(arguments[0].byte_range if arguments else _NOTHING), new))
    rows.sort()
    return rows
