"""The head of a definition: its signature, parameters, return annotation and bases."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from tree_sitter import Node

from engram.extract.facts import Parameter
from engram.extract.grammar import Captures
from engram.extract.languages import Language
from engram.extract.source import Source

MAX_SIGNATURE = 200  # characters; a longer one is cut: maps and lists show one line
_NAMES = re.compile(r"[\w\s,$]*")  # parameters without types and defaults
_PLAIN = re.compile(r"[\w\s,.$]*")  # a list that may be split at its commas
_PLAIN_PARAMETER = re.compile(
    r"""\s*(\*|(?:\*{1,2}|\.\.\.)?[\w$]+)\s*                           # a, *a, **a, ...a and a lone *
    (?::\s*([\w.|\s]*[\w]))?\s*                                        # a type without brackets
    (?:=\s*(-?[\w.]+|'[^'\\\n,]*'|"[^"\\\n,]*"|\(\)|\[\]|\{\}))?\s*(?:,|$)  # a simple default""",
    re.VERBOSE,
)
_NO_BASE = frozenset({"keyword_argument", "comment", "type_arguments", "lifetime", "removed_trait_bound"})
_CLAUSES = frozenset({"extends_clause", "implements_clause", "type_list"})
_VARIADIC = frozenset({"variadic_parameter_declaration", "spread_parameter"})
_NO_PARAMETER = frozenset({"positional_separator", "comment", "ERROR"})


class Head(NamedTuple):
    """What a definition says before its body."""

    signature: str
    parameters: list[Parameter]
    returns: str
    bases: list[str]


class Heads:
    """Reads the heads of the definitions of one file."""

    def __init__(self, source: Source, language: Language) -> None:
        self._source = source
        self._language = language

    def read(self, node: Node, match: Captures, name: Node) -> Head:
        """The head of the definition that `node` is."""
        parameters = match.get("parameters")
        returns = match.get("returns") or self._returns(parameters)
        bases = match.get("bases")
        last = (returns or bases or parameters or [name])[-1]
        if last.end_byte < name.start_byte:  # the result stands before the name
            last = (parameters or [name])[-1]
        return Head(
            self._signature(node, match, last.end_byte),
            [row for node in (*match.get("receiver", ()), *(parameters or ())) for row in self._parameters(node)],
            self._result(returns[0]) if returns else "",
            [text for group in bases for text in self._bases(group)] if bases else [],
        )

    def _signature(self, node: Node, match: Captures, end: int) -> str:
        if not self._source.spelling:
            return self._source.expression(node.start_byte, end, MAX_SIGNATURE)
        start = node.start_byte
        for mark in match.get("decorator", ()):
            if self._source.text[start : mark.start_byte].isspace() or mark.start_byte == start:
                start = mark.end_byte
        return self._source.folded(start, end, MAX_SIGNATURE, spelled=False)

    def _returns(self, parameters: list[Node] | None) -> list[Node] | None:
        types = self._language.return_types
        after = parameters[0].next_named_sibling if types and parameters else None
        return [after] if after is not None and after.type in types else None

    def _bases(self, node: Node) -> list[str]:
        text = self._source.slice(node.start_byte, node.end_byte)
        if text.startswith("(") and _PLAIN.fullmatch(text, 1, len(text) - 1):
            return [base.strip() for base in text[1:-1].split(",") if base.strip()]
        found = []
        for child in node.named_children:
            if child.type in _CLAUSES:
                found += self._bases(child)
            elif child.type not in _NO_BASE:
                found.append(self._source.node(child))
        return found

    def _parameters(self, node: Node) -> list[Parameter]:
        text = self._source.slice(node.start_byte, node.end_byte)
        if not self._language.typed_by_colon:
            return [row for child in node.named_children for row in self._declared(child)]
        if not text.startswith("("):
            return [Parameter(text, "", "")]  # the only one of an arrow function
        plain = _plain_parameters(text[1:-1])
        if plain is not None:
            return list(plain)
        return [self._parameter(child) for child in node.named_children if child.type not in _NO_PARAMETER]

    def _parameter(self, node: Node) -> Parameter:
        name, annotation, default = [node.child_by_field_name(field) for field in self._language.parameter_fields]
        if name is None and (annotation is not None or default is not None):
            name = node.named_children[0]
        return Parameter(
            self._source.node(name or node),
            self._source.node(annotation).lstrip(": ") if annotation else "",
            self._source.node(default) if default else "",
        )

    def _result(self, node: Node) -> str:
        """The annotation of the result; several results as `(T, U)`, without the names they may have."""
        if node.type != "parameter_list":
            return self._source.node(node).lstrip(": ")
        types = [row.annotation or row.name for child in node.named_children for row in self._declared(child)]
        return f"({', '.join(types)})" if len(types) != 1 else types[0]

    def _declared(self, node: Node) -> list[Parameter]:
        """The parameters that one declaration makes, where types stand beside names without a mark."""
        if node.type in _NO_PARAMETER:
            return []
        names = [name for name in node.children_by_field_name("name") if name.is_named]
        kind = node.child_by_field_name("type")
        rest = "..." if node.type in _VARIADIC else ""
        if kind is None and node.named_children and not names:  # Java's `String... names`
            names = [inner for child in node.named_children[1:] for inner in child.children_by_field_name("name")]
            kind = next((child for child in node.named_children if child.type != "modifiers"), None)
        annotation = self._source.node(kind) if kind is not None else ""
        return [Parameter(rest + self._source.node(name), annotation, "") for name in names] or [
            Parameter("_" if annotation else self._source.node(node), annotation, "")
        ]


@lru_cache(maxsize=4096)  # `self, url` and its like: a few hundred texts cover most functions of a repository
def _plain_parameters(text: str) -> tuple[Parameter, ...] | None:
    """The parameters of a list without brackets, comments or long strings; None for any other list."""
    if _NAMES.fullmatch(text):
        return tuple([Parameter(name.strip(), "", "") for name in text.split(",") if name.strip()])
    found = []
    at = 0
    text = text.rstrip()
    while at < len(text):
        match = _PLAIN_PARAMETER.match(text, at)
        if match is None:
            return None
        name, annotation, default = match.groups("")
        found.append(Parameter(name, annotation, default))
        at = match.end()
    return tuple(found)
