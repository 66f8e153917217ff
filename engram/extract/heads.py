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
_NO_BASE = frozenset({"keyword_argument", "comment", "type_arguments"})
_CLAUSES = frozenset({"extends_clause", "implements_clause"})
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
        return Head(
            self._source.expression(node.start_byte, last.end_byte, MAX_SIGNATURE),
            self._parameters(parameters[0]) if parameters else [],
            self._source.node(returns[0]).lstrip(": ") if returns else "",
            [text for group in bases for text in self._bases(group)] if bases else [],
        )

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
