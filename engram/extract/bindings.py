"""Captured assignments, loops, `with` items and returns -> `Binding` facts."""

from __future__ import annotations

import re
from operator import itemgetter

from tree_sitter import Node

from engram.extract.definitions import Definitions
from engram.extract.facts import MAX_EXPRESSION, WHOLE, Binding, Import
from engram.extract.grammar import Captures
from engram.extract.imports import imported_value
from engram.extract.languages import Language
from engram.extract.shortening import LONG, MADE, STRINGS, value_text
from engram.extract.source import Source

_PATH = re.compile(r"[\w$#]+(?:\.[\w$#]+)*")  # a name or a plain path of attributes
_WITHOUT_TARGET = frozenset({"return", "yield", "package"})
_FUNCTION = frozenset({"arrow_function", "function_expression", "generator_function", "class"})
_RESPELLED = frozenset(MADE) | {"unary_expression", "reference_expression"}
_ASSIGNMENT = frozenset({"assignment", "assignment_expression"})
_SPECIAL = _ASSIGNMENT | STRINGS | _RESPELLED  # values that do not stand as written, however short
_MAX_CHAIN = 16  # targets of one chained assignment; each looks for the value itself
_SEQUENCES = frozenset({"expression_list", "tuple", "list", "array"})
_STARRED = frozenset({"list_splat", "spread_element"})
_NAMES = frozenset({"identifier", "shorthand_property_identifier_pattern"})
_READ = frozenset({"subscript", "attribute", "call", "subscript_expression", "member_expression", "call_expression"})


_Row = tuple[int, str, str, str, str, int]  # first byte, then target, value, annotation, how, element


def find_bindings(
    captured: dict[str, list[Captures]], source: Source, definitions: Definitions, language: Language
) -> tuple[list[Binding], list[Import]]:
    """All bindings of a file in the order of the source, and those among them that bind a module.

    What is assigned to a subscript is left out, and so is what a function without a name returns.
    """
    rows: list[_Row] = []
    for fact, matches in captured.items():
        what, _, how = fact.partition(".")
        if what != "binding" or how == "field":
            continue
        if how in _WITHOUT_TARGET:
            for match in matches:
                node = match[fact][0]
                rows.append((node.start_byte, "", _value(node, node.type, source), "", how, WHOLE))
        else:
            _add_targets(rows, matches, fact, "assign" if how == "declare" else how, source)
    if fields := captured.get("binding.field"):
        rows += _fields(fields, language.receivers[0], source)
    rows.sort(key=itemgetter(0))
    place, functions = definitions.scopes.walker(), definitions.functions
    importing = (*language.importers, *[f"await {name}" for name in language.importers])
    found = []
    imports = []
    for start, target, value, annotation, how, element in rows:
        scope, line = place(start)
        if not target and functions.at(start) != scope:
            continue
        if value.startswith(importing) and (imported := _import(scope, target, value, line, language)):
            imports.append(imported)
        else:
            found.append(tuple.__new__(Binding, (scope, target, value, annotation, line, how, element)))
    return found, imports


def _import(scope: int, target: str, value: str, line: int, language: Language) -> Import | None:
    """The import that an assignment makes; one to `module.exports` or to a name in it hands the module on."""
    imported = imported_value(value, language.importers)
    name = target.removeprefix("module.").removeprefix("exports").removeprefix(".") or "default"
    if imported is None or "." in name:
        return None
    return Import(scope, name, *imported, line, name != target)


def _add_targets(rows: list[_Row], matches: list[Captures], fact: str, how: str, source: Source) -> None:
    text, expression = source.text, source.expression
    for match in matches:
        node = match[fact][0]
        start, end = node.byte_range
        target = text[start : min(end, start + MAX_EXPRESSION)]
        value = annotation = ""
        given = match.get("value")
        if given is not None:
            kind = given[0].type
            if kind in _FUNCTION:
                continue  # a definition of its own
            first, last = given[0].byte_range
            short = last - first <= LONG and kind not in _SPECIAL
            value = expression(first, last) if short else _value(given[0], kind, source)
        declared = match.get("annotation")
        if declared is not None:
            annotation = source.node(declared[0]).lstrip(": ")
        if (target.isidentifier() and target.isascii()) or _PATH.fullmatch(target := expression(start, end)):
            rows.append((start, target, value, annotation, how, WHOLE))
        elif node.type == "object_pattern":
            _unpack_object(rows, node, value, how, source)
        elif node.type not in _READ:
            _unpack(rows, node, given[0] if given else None, how, source)


def _fields(matches: list[Captures], receiver: str, source: Source) -> list[_Row]:
    """Parameters that are attributes of the object at the same time (`constructor(private a: A)`)."""
    rows = []
    for match in matches:
        node = match["binding.field"][0]
        annotation = source.node(match["annotation"][0]).lstrip(": ") if "annotation" in match else ""
        rows.append((node.start_byte, f"{receiver}.{source.node(node)}", "", annotation, "assign", WHOLE))
    return rows


def _value(node: Node, kind: str, source: Source) -> str:
    """The text of a value; of `a = b = c` it is c."""
    for _ in range(_MAX_CHAIN):
        right = node.child_by_field_name("right") if kind in _ASSIGNMENT else None
        if right is None:
            break
        node, kind = right, right.type
    return value_text(node, kind, source)


def _unpack(rows: list[_Row], pattern: Node, value: Node | None, how: str, source: Source) -> None:
    """Each name in a pattern as a target: with its own value where both sides are sequences, else with its position."""
    targets = pattern.named_children
    values = _elements(value, len(targets)) if how == "assign" else None
    whole = _value(value, value.type, source) if value is not None else ""
    for position, target in enumerate(targets):
        text = source.node(target)
        if not _PATH.fullmatch(text):
            _add_unknown(rows, target, how, source)
        elif values is None:
            rows.append((target.start_byte, text, whole, "", how, position))
        else:
            own = values[position]
            rows.append((target.start_byte, text, _value(own, own.type, source), "", how, WHOLE))


def _unpack_object(rows: list[_Row], pattern: Node, value: str, how: str, source: Source) -> None:
    """Each name in `{a, b: c} = value` as what is assigned `value.a`, `value.b`."""
    for part in pattern.named_children:
        key = part.child_by_field_name("key")
        target = part.child_by_field_name("value") or part.child_by_field_name("left") or part
        text = source.node(target)
        if not _PATH.fullmatch(text):
            _add_unknown(rows, target, how, source)
        else:
            known = how == "assign" and value
            shown = f"{value}.{source.node(key) if key else text}" if known else ""
            rows.append((target.start_byte, text, shown, "", how, WHOLE))


def _add_unknown(rows: list[_Row], pattern: Node, how: str, source: Source) -> None:
    """Names inside a nested or starred target: bound here, to nothing that is known."""
    pending = [pattern]
    while pending:
        node = pending.pop()
        if node.type in _NAMES:
            rows.append((node.start_byte, source.node(node), "", "", how, WHOLE))
        elif node.type not in _READ:
            pending += node.named_children


def _elements(value: Node | None, count: int) -> list[Node] | None:
    """The elements of a literal sequence that is unpacked into `count` targets one by one; None for anything else."""
    if value is None or value.type not in _SEQUENCES:
        return None
    elements = value.named_children
    if len(elements) != count or any(element.type in _STARRED for element in elements):
        return None
    return elements
