"""Captured assignments, loops, `with` items and returns -> `Binding` facts."""

from __future__ import annotations

import re

from tree_sitter import Node

from engram.extract.facts import WHOLE, Binding
from engram.extract.grammar import Captures
from engram.extract.scopes import Scopes
from engram.extract.source import Source

_NAME = re.compile(r"[\w$#]+(?:\.[\w$#]+)*")  # a name or a plain path of attributes
_WITHOUT_TARGET = frozenset({"return", "yield"})
_SCOPE_ONLY = frozenset({"global", "nonlocal"})
_STRING = frozenset({"string", "concatenated_string", "template_string"})
_FUNCTION = frozenset({"arrow_function", "function_expression", "generator_function", "class"})
_ASSIGNMENT = frozenset({"assignment", "assignment_expression"})
_SEQUENCES = frozenset({"expression_list", "tuple", "list", "array"})
_STARRED = frozenset({"list_splat", "spread_element"})


def find_bindings(captured: dict[str, list[Captures]], source: Source, scopes: Scopes) -> list[Binding]:
    """All bindings of a file in the order of the source; what is assigned to a subscript is left out."""
    bindings = _Bindings(source, scopes)
    for fact, matches in captured.items():
        what, _, how = fact.partition(".")
        if what != "binding":
            continue
        if how in _WITHOUT_TARGET:
            for match in matches:
                bindings.add_result(match[fact][0], how)
        elif how in _SCOPE_ONLY:
            for match in matches:
                bindings.add(match[fact][0], None, "", how)
        else:
            how = "assign" if how == "declare" else how
            for match in matches:
                bindings.add_assignment(match[fact][0], match, how)
    bindings.found.sort(key=lambda row: row[0])
    return [row for _, row in bindings.found]


class _Bindings:
    """The bindings of one file with the byte at which each stands."""

    def __init__(self, source: Source, scopes: Scopes) -> None:
        self._source = source
        self._scopes = scopes
        self.found: list[tuple[int, Binding]] = []

    def add_result(self, node: Node, how: str) -> None:
        start = node.start_byte
        value = self._value(node)
        self.found.append((start, Binding(self._scopes.at(start), "", value, "", node.start_point[0] + 1, how, WHOLE)))

    def add_assignment(self, node: Node, match: Captures, how: str) -> None:
        value = match["value"][0] if "value" in match else None
        if value is not None and value.type in _FUNCTION:
            return  # a definition of its own
        annotation = self._source.expression(match["annotation"][0]).lstrip(": ") if "annotation" in match else ""
        if node.named_child_count and not _NAME.fullmatch(self._source.expression(node)):
            self._unpack(node, value, how)
        else:
            self.add(node, value, annotation, how)

    def add(self, node: Node, value: Node | None, annotation: str, how: str, element: int = WHOLE) -> None:
        start = node.start_byte
        while value is not None and value.type in _ASSIGNMENT:
            value = value.child_by_field_name("right")
        shown = self._value(value) if value is not None else ""
        target = self._source.expression(node)
        line = node.start_point[0] + 1
        self.found.append((start, Binding(self._scopes.at(start), target, shown, annotation, line, how, element)))

    def _value(self, node: Node) -> str:
        """The expression; a string literal, however long, is `""`: only its type tells anything."""
        return '""' if node.type in _STRING else self._source.expression(node)

    def _unpack(self, pattern: Node, value: Node | None, how: str) -> None:
        targets = pattern.named_children
        values = _elements(value, len(targets)) if how == "assign" else None
        for position, target in enumerate(targets):
            if _NAME.fullmatch(self._source.expression(target)):
                if values is not None:
                    self.add(target, values[position], "", how)
                else:
                    self.add(target, value, "", how, position)
            elif target.type != "subscript":
                self._unknown(target, how)

    def _unknown(self, pattern: Node, how: str) -> None:
        """Names inside a nested or starred target: bound here, to nothing that is known."""
        pending = [pattern]
        while pending:
            node = pending.pop()
            if not node.named_child_count:
                if node.type in _LEAVES:
                    self.add(node, None, "", how)
            elif node.type not in _READ:
                pending += node.named_children


_LEAVES = frozenset({"identifier", "shorthand_property_identifier_pattern"})
_READ = frozenset({"subscript", "attribute", "call", "subscript_expression", "member_expression", "call_expression"})


def _elements(value: Node | None, count: int) -> list[Node] | None:
    """The elements of a literal sequence that is unpacked into `count` targets one by one; None for anything else."""
    if value is None or value.type not in _SEQUENCES:
        return None
    elements = value.named_children
    if len(elements) != count or any(element.type in _STARRED for element in elements):
        return None
    return elements
