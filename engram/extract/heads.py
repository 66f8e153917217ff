"""The head of a definition: its signature, parameters, return annotation and bases."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from tree_sitter import Node

from engram.extract.facts import CUT, Parameter
from engram.extract.grammar import Captures
from engram.extract.languages import Language
from engram.extract.source import Source

MAX_SIGNATURE = 200  # characters; a longer one is cut: maps and lists show one line
_PLAIN = re.compile(r"[\w\s,.$]*")  # a list that may be split at its commas
_NO_BASE = frozenset({"keyword_argument", "comment"})
_NO_PARAMETER = frozenset({"positional_separator", "comment"})


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
        self._fields = language.parameter_fields
        mark = re.escape(language.comment)
        self._comment = re.compile(rf"(?m)(^|\s){mark}[^'\"\n]*$")
        self._mark = language.comment

    def read(self, node: Node, match: Captures, name: Node) -> Head:
        """The head of the definition that `node` is."""
        parameters = match.get("parameters")
        returns = match.get("returns")
        bases = match.get("bases")
        last = (returns or bases or parameters or [name])[-1]
        return Head(
            self._signature(node.start_byte, last.end_byte),
            self._parameters(parameters[0]) if parameters else [],
            self._source.node(returns[0]).lstrip(": ") if returns else "",
            [text for group in bases for text in self._bases(group)] if bases else [],
        )

    def _signature(self, start: int, end: int) -> str:
        text = self._source.slice(start, end)
        if "\n" in text:
            if self._mark in text:
                text = self._comment.sub("", text)
            text = " ".join(text.split())
        return text if len(text) <= MAX_SIGNATURE else text[: MAX_SIGNATURE - 1] + CUT

    def _bases(self, node: Node) -> list[str]:
        text = self._source.slice(node.start_byte + 1, node.end_byte - 1)
        if _PLAIN.fullmatch(text):
            return [base.strip() for base in text.split(",") if base.strip()]
        return [self._source.node(child) for child in node.named_children if child.type not in _NO_BASE]

    def _parameters(self, node: Node) -> list[Parameter]:
        text = self._source.slice(node.start_byte + 1, node.end_byte - 1)
        if _PLAIN.fullmatch(text):
            return list(_plain_parameters(text))
        return [self._parameter(child) for child in node.named_children if child.type not in _NO_PARAMETER]

    def _parameter(self, node: Node) -> Parameter:
        name, annotation, default = [node.child_by_field_name(field) for field in self._fields]
        if name is None and (annotation is not None or default is not None):
            name = node.named_children[0]
        return Parameter(
            self._source.node(name or node),
            self._source.node(annotation).lstrip(": ") if annotation else "",
            self._source.node(default) if default else "",
        )


@lru_cache(maxsize=4096)  # `self, url` and its like: a few hundred texts cover most functions of a repository
def _plain_parameters(text: str) -> tuple[Parameter, ...]:
    return tuple([Parameter(name.strip(), "", "") for name in text.split(",") if name.strip()])
