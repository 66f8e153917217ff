"""Captured calls -> `CallSite` facts; calls that import a module -> `Import` facts."""

from __future__ import annotations

from tree_sitter import Node

from engram.extract.facts import CallSite, Import
from engram.extract.grammar import Captures
from engram.extract.imports import first_string
from engram.extract.languages import Language
from engram.extract.scopes import Scopes
from engram.extract.shortening import LONG, callee_text
from engram.extract.source import Source, is_plain

_DOTS = frozenset({".", "::"})
_PARTS = frozenset({"identifier", "self", "crate", "super"})
_MAX_PATH = 12  # parts of a path; more are no call that anything resolves


def find_calls(
    captured: dict[str, list[Captures]], source: Source, scopes: Scopes, language: Language
) -> tuple[list[CallSite], list[Import]]:
    """The calls of a file in the order in which their callees end, and the imports among them."""
    text, place, importers = source.text, scopes.walker(), language.importers
    plain = not source.respelled
    calls = []
    imports = []
    for end, start, _, node, new in captured_calls(captured):
        scope, line = place(end - 1)  # `raise Foo` may end where its function does
        callee = text[start:end] if end - start <= LONG else ""
        if not plain and callee and not is_plain(callee):
            callee = ""
        if not callee or "\n" in callee or not callee.isascii():
            callee = callee_text(node, source, start, end)
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
            part = "" if new else fact.partition(".")[2]
            for match in matches:
                node = match[fact][0]
                start, end = node.byte_range
                if part:
                    start, end = (start, match["name"][0].end_byte) if part == "member" else (_path_start(node), end)
                rows.append((end, start, len(rows), node, new))
    rows.sort()
    return rows


def _path_start(node: Node) -> int:
    """Where the path begins whose last name among tokens without structure `node` is (`self.list.push`)."""
    for _ in range(_MAX_PATH):
        dot = node.prev_sibling
        before = dot.prev_sibling if dot is not None and dot.type in _DOTS else None
        if before is None or before.type not in _PARTS:
            break
        node = before
    return node.start_byte
