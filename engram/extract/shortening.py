"""Long expressions made short without losing what tells their type: `f(g(x), ...).h` becomes `f().h`."""

from __future__ import annotations

from tree_sitter import Node

from engram.extract.facts import CUT, MAX_EXPRESSION
from engram.extract.source import Source

LONG = 60  # characters; most expressions are shorter and stand as written
_MAX_DEPTH = 12  # links of one chain; a longer one is cut as text
_CALLS = {"call": "function", "call_expression": "function", "new_expression": "constructor"}
_ATTRIBUTES = {
    "attribute": ("object", "attribute"),
    "member_expression": ("object", "property"),
    "selector_expression": ("operand", "field"),
    "field_expression": ("value", "field"),
    "scoped_identifier": ("path", "name"),
    "method_invocation": ("object", "name"),
}
_DISPLAYS = {"list": "[]", "array": "[]", "dictionary": "{}", "object": "{}"}
_LITERALS = "interpreted_string_literal raw_string_literal string_literal"  # Go, Rust, Java
STRINGS = frozenset({"string", "concatenated_string", "template_string", *_LITERALS.split()})
MADE = {"composite_literal": "type", "struct_expression": "name", "object_creation_expression": "type"}  # `T{...}`
_TAKEN = {"unary_expression": "operand", "reference_expression": "value"}  # `&x`: a pointer tells no other type
_SLICES = frozenset({"slice_type", "array_type", "map_type", "implicit_length_array_type"})
_AWAITS = frozenset({"await", "await_expression"})


def value_text(node: Node, kind: str, source: Source) -> str:
    """An expression as a value: a string is `""`, what is LONG loses its arguments, a display that is longer is empty.

    `kind` is the type of the node.  What has no such form is cut as text.
    """
    if kind in STRINGS:
        return '""'
    if kind in _TAKEN and source.text.startswith("&", node.start_byte):
        taken = node.child_by_field_name(_TAKEN[kind])
        return value_text(taken, taken.type, source) if taken is not None else ""
    if kind in MADE:
        made = node.child_by_field_name(MADE[kind])
        if made is not None:
            return f"new {source.node(made)}()" if made.type not in _SLICES else "[]"
    start, end = node.byte_range
    if end - start <= LONG:
        return source.expression(start, end)
    return _short(node, kind, source, _MAX_DEPTH)


def callee_text(node: Node, source: Source, start: int, end: int) -> str:
    """The expression from `start` to `end`, which is called; too long for a fact, it loses its arguments, not its name.

    `node` is what it is, or the call that begins with it."""
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
            arguments = "()" if owner.type == "method_invocation" else ""
            return f"{_short(owner, owner.type, source, depth - 1)}{arguments}.{source.node(name)}"
    elif kind in _AWAITS and node.named_child_count == 1:
        waited = node.named_children[0]
        return f"await {_short(waited, waited.type, source, depth - 1)}"
    elif kind in _DISPLAYS and end - start > MAX_EXPRESSION:
        return _DISPLAYS[kind]
    return source.chain(start, end)
