"""Captured definitions -> `Definition` facts with their nesting, and the scopes that other facts are placed in."""

from __future__ import annotations

import re
from typing import NamedTuple

from tree_sitter import Node

from engram.extract.documentation import doc_above, doc_in_body
from engram.extract.facts import MODULE, Definition, Parameter
from engram.extract.grammar import Captures
from engram.extract.languages import Language
from engram.extract.scopes import Scopes
from engram.extract.source import Source

MAX_SIGNATURE = 200  # characters; a longer one is cut: maps and lists show one line
_TYPES = frozenset({"class", "interface", "enum", "type", "namespace"})
_NOT_PATH = frozenset({"prototype", "exports", "module", "this"})  # parts of an assigned name that name no container
_PLAIN = re.compile(r"[\w\s,.$]*")  # a list that may be split at its commas


class _Wrapper(NamedTuple):
    """What stands around a definition: decorators, `export`."""

    outer: Node
    decorators: list[str]
    variety: str


class _Open(NamedTuple):
    """A definition or holder whose end has not been reached: what is inside gets `path` before its name."""

    end: int
    scope: int
    path: str
    kind: str
    public: bool


class Definitions(NamedTuple):
    """The definitions of a file and the scopes that they open."""

    found: list[Definition]
    scopes: Scopes


def find_definitions(captured: dict[str, list[Captures]], source: Source, language: Language) -> Definitions:
    """All functions, classes and types of a file by position, containers first; after them the constants, likewise."""
    nesting = _Nesting(source, language, _wrappers(captured, source))
    scopes = nesting.nest(_candidates(captured))
    nesting.add_constants(captured.get("binding.declare", []), scopes)
    return Definitions(nesting.found, scopes)


def _candidates(captured: dict[str, list[Captures]]) -> list[tuple[int, int, str, Node, Captures]]:
    candidates = []
    for fact, matches in captured.items():
        what, _, kind = fact.partition(".")
        if what in ("definition", "holder"):
            for match in matches:
                node = match[fact][0]
                candidates.append((node.start_byte, -node.end_byte, kind, node, match))
    candidates.sort(key=lambda candidate: candidate[:3])
    return candidates


def _wrappers(captured: dict[str, list[Captures]], source: Source) -> dict[int, _Wrapper]:
    """Wrappers by the first byte of what they wrap."""
    wrappers = {}
    for fact, matches in captured.items():
        what, _, variety = fact.partition(".")
        if what == "wrapper":
            for match in matches:
                decorators = [source.expression(node).lstrip("@ ") for node in match.get("decorator", ())]
                wrappers[match["wrapped"][0].start_byte] = _Wrapper(match[fact][0], decorators, variety)
    return wrappers


class _Nesting:
    """One pass over the candidates of a file with a stack of those that are open."""

    def __init__(self, source: Source, language: Language, wrappers: dict[int, _Wrapper]) -> None:
        self._source = source
        self._language = language
        self._wrappers = wrappers
        self._open = [_Open(1 << 62, MODULE, "", "module", True)]
        self.found: list[Definition] = []
        self._bodies: list[tuple[int, int, int, int]] = []

    def nest(self, candidates: list[tuple[int, int, str, Node, Captures]]) -> Scopes:
        for start, negated_end, kind, node, match in candidates:
            while self._open[-1].end <= start:
                self._open.pop()
            self._add(node, kind, match, -negated_end)
        return Scopes(self._bodies)

    def add_constants(self, declared: list[Captures], scopes: Scopes) -> None:
        taken = {definition.name for definition in self.found if definition.scope == MODULE}
        for match in sorted(declared, key=lambda match: match["binding.declare"][0].start_byte):
            node = match["binding.declare"][0]
            if scopes.at(node.start_byte) != MODULE:
                continue
            name = self._source.expression(node)
            if name not in taken and name.replace("$", "_").isidentifier():
                taken.add(name)
                self._add_constant(name, node, (match.get("value") or match.get("annotation") or [node])[0])

    def _add_constant(self, name: str, node: Node, last: Node) -> None:
        outer, _, variety = self._wrapped(node)
        start = outer.start_point[0] + 1
        signature = self._source.folded(node.start_byte, last.end_byte)
        doc = "" if self._language.doc_in_body else doc_above(self._source, outer.start_byte)
        public = self._is_public(name, "module", variety)
        self.found.append(
            Definition(
                name,
                name,
                "constant",
                start,
                max(_last_line(last), start),
                node.start_point[0] + 1,
                MODULE,
                signature,
                doc,
                public,
                [],
                [],
                [],
                "",
            )
        )

    def _add(self, node: Node, kind: str, match: Captures, end: int) -> None:
        around = self._open[-1]
        name_node = match["name"][0]
        name = self._source.expression(name_node)
        path = f"{around.path}.{name}" if around.path else name
        if kind == "function" and around.kind == "class":
            kind = "method"
        outer, decorators, variety = self._wrapped(node)
        public = around.public and self._is_public(name, around.kind, variety)
        scope = len(self.found)
        body = match["body"][0] if "body" in match else None
        self.found.append(
            Definition(
                name,
                path,
                kind,
                outer.start_point[0] + 1,
                _last_line(outer),
                name_node.start_point[0] + 1,
                around.scope,
                self._signature(node, match, name_node),
                self._doc(outer, body),
                public,
                self._bases(match),
                decorators,
                self._parameters(match),
                self._source.expression(match["returns"][0]).lstrip(": ") if "returns" in match else "",
            )
        )
        if body is not None:
            begin = body.start_byte
            if self._language.runs_defaults and "parameters" in match:
                begin = match["parameters"][0].start_byte
            self._bodies.append((begin, body.end_byte, scope, around.scope))
        self._open.append(_Open(end, scope, path, "class" if kind in _TYPES else kind, public and kind in _TYPES))

    def _wrapped(self, node: Node) -> tuple[Node, list[str], str]:
        outer, variety = node, ""
        decorators: list[str] = []
        while wrapper := self._wrappers.get(outer.start_byte):
            if wrapper.outer.start_byte == outer.start_byte and wrapper.outer.end_byte <= outer.end_byte:
                break
            outer = wrapper.outer
            decorators = wrapper.decorators + decorators
            variety = wrapper.variety or variety
        return outer, decorators, variety

    def _is_public(self, name: str, around: str, variety: str) -> bool:
        if around == "module" and not self._language.public_by_name:
            return variety == "export"
        if not name.startswith(("_", "#")):
            return True
        return around == "class" and name.startswith("__") and name.endswith("__")

    def _signature(self, node: Node, match: Captures, name_node: Node) -> str:
        last = max([name_node.end_byte, *[match[part][0].end_byte for part in _HEAD if part in match]])
        text = self._source.slice(node.start_byte, last)
        mark = self._language.comment
        if "\n" in text and mark in text:
            text = re.sub(rf"(?m)(^|\s){mark}[^'\"\n]*$", "", text)
        folded = " ".join(text.split())
        return folded if len(folded) <= MAX_SIGNATURE else folded[: MAX_SIGNATURE - 1] + "…"

    def _doc(self, outer: Node, body: Node | None) -> str:
        if not self._language.doc_in_body:
            return doc_above(self._source, outer.start_byte)
        return doc_in_body(self._source, body.start_byte, body.end_byte) if body is not None else ""

    def _bases(self, match: Captures) -> list[str]:
        bases = []
        for node in match.get("bases", ()):
            text = self._source.slice(node.start_byte + 1, node.end_byte - 1)
            if _PLAIN.fullmatch(text):
                bases += [base.strip() for base in text.split(",") if base.strip()]
            else:
                plain = [child for child in node.named_children if child.type not in _NO_BASE]
                bases += [self._source.expression(child) for child in plain]
        return bases

    def _parameters(self, match: Captures) -> list[Parameter]:
        if "parameters" not in match:
            return []
        node = match["parameters"][0]
        text = self._source.slice(node.start_byte + 1, node.end_byte - 1)
        if _PLAIN.fullmatch(text):
            return [Parameter(name.strip(), "", "") for name in text.split(",") if name.strip()]
        return [self._parameter(child) for child in node.named_children if child.type not in _NO_PARAMETER]

    def _parameter(self, node: Node) -> Parameter:
        by_field = [node.child_by_field_name(field) for field in self._language.parameter_fields]
        name, annotation, default = by_field
        if name is None and (annotation is not None or default is not None):
            name = node.named_children[0]
        return Parameter(
            self._source.expression(name or node),
            self._source.expression(annotation).lstrip(": ") if annotation else "",
            self._source.expression(default) if default else "",
        )


_HEAD = ("parameters", "returns", "bases")
_NO_BASE = frozenset({"keyword_argument", "comment"})
_NO_PARAMETER = frozenset({"positional_separator", "comment"})


def _last_line(node: Node) -> int:
    row, column = node.end_point
    return row + 1 if column or row == node.start_point[0] else row
