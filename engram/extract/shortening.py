"""Long expressions made short without losing what tells their type: `f(g(x), ...).h` becomes `f().h`."""

from __future__ import annotations

from tree_sitter import Node

from engram.extract.facts import CUT, MAX_EXPRESSION
from engram.extract.source import Source

LONG = 60  # characters; most expressions are shorter and stand as written
_MAX_DEPTH = 12  # links of one chain; a longer one is cut as text
_CALLS = {"call": "function", "call_expression": "function", "new_expression": "constructor"}
_ATTRIBUTES = {"attribute": ("object", "attribute"), "member_expression": ("object", "property")}
_DISPLAYS = {"list": "[]", "array": "[]", "dictionary": "{}", "object": "{}"}
STRINGS = frozenset({"string", "concatenated_string", "template_string"})
_AWAITS = frozenset({"await", "await_expression"})


def value_text(node: Node, kind: str, source: Source) -> str:
    """An expression as a value: a string is `""`, what is LONG loses its arguments, a display that is longer is empty.

    `kind` is the type of the node.  What has no such form is cut as text.
    """
    if kind in STRINGS:
        return '""'
    start, end = node.byte_range
    if end - start <= LONG:
        return source.expression(start, end)
    return _short(node, kind, source, _MAX_DEPTH)


def callee_text(node: Node, source: Source) -> str:
    """An expression that is called; one too long for a fact loses its arguments, not its last name."""
    start, end = node.byte_range
    text = source.chain(start, end)
    return text if not text.endswith(CUT) else _short(node, node.type, source, _MAX_DEPTH)


def _short(node: Node, kind: str, source: Source, depth: int) -> str:
    start, end = node.byte_range
    if end - start <= LONG or depth == 0:
        return source.chain(start, end)
    if kind in _CALLS:
        called = node.child_by_field_name(_CALLS[kind])
        if called is not None:
            text = f"{_short(called, called.type, source, depth - 1)}()"
            return f"new {text}" if kind == "new_expression" else text
    elif kind in _ATTRIBUTES:
        owner, name = [node.child_by_field_name(field) for field in _ATTRIBUTES[kind]]
        if owner is not None and name is not None:
            return f"{_short(owner, owner.type, source, depth - 1)}.{source.node(name)}"
    elif kind in _AWAITS and node.named_child_count == 1:
        waited = node.named_children[0]
        return f"await {_short(waited, waited.type, source, depth - 1)}"
    elif kind in _DISPLAYS and end - start > MAX_EXPRESSION:
        return _DISPLAYS[kind]
    return source.chain(start, end)
