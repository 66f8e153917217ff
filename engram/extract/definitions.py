"""Captured definitions -> `Definition` facts with their nesting, and the scopes that other facts are placed in."""

from __future__ import annotations

from operator import itemgetter
from typing import NamedTuple

from tree_sitter import Node

from engram.extract.documentation import doc_above, doc_in_body
from engram.extract.facts import MODULE, Definition
from engram.extract.grammar import Captures
from engram.extract.heads import Heads
from engram.extract.languages import Language
from engram.extract.scopes import Scopes
from engram.extract.source import Source
from engram.extract.wrappers import Wrappers

_TYPES = frozenset({"class", "interface", "enum", "type", "namespace"})
_BEYOND = 1 << 62  # past the end of any file

_Candidate = tuple[int, int, int, str, Node, Captures]  # start, -end, order, variety, node, captures


class Definitions(NamedTuple):
    """The definitions of a file and the scopes that they open."""

    found: list[Definition]
    scopes: Scopes


def find_definitions(captured: dict[str, list[Captures]], source: Source, language: Language) -> Definitions:
    """All functions, classes and types of a file by position, containers first; after them the constants, likewise."""
    nesting = _Nesting(source, language, Wrappers(captured, source))
    scopes = nesting.nest(_candidates(captured))
    nesting.add_constants(captured.get("binding.declare", []), scopes)
    return Definitions(nesting.found, scopes)


def _candidates(captured: dict[str, list[Captures]]) -> list[_Candidate]:
    candidates: list[_Candidate] = []
    for fact, matches in captured.items():
        what, _, kind = fact.partition(".")
        if what in ("definition", "holder"):
            for match in matches:
                node = match[fact][0]
                start, end = node.byte_range
                candidates.append((start, -end, len(candidates), kind, node, match))
    candidates.sort()
    return candidates


class _Open(NamedTuple):
    """A definition or holder whose end has not been reached: what is inside gets `path` before its name."""

    end: int
    scope: int
    path: str
    is_type: bool
    public: bool


class _Nesting:
    """One pass over the candidates of a file with a stack of those that are open."""

    def __init__(self, source: Source, language: Language, wrappers: Wrappers) -> None:
        self._source = source
        self._language = language
        self._wrappers = wrappers
        self._heads = Heads(source, language)
        self._open = [_Open(_BEYOND, MODULE, "", False, True)]
        self._bodies: list[tuple[int, int, int, int]] = []
        self.found: list[Definition] = []

    def nest(self, candidates: list[_Candidate]) -> Scopes:
        for start, negated_end, _, kind, node, match in candidates:
            while self._open[-1].end <= start:
                self._open.pop()
            self._add(node, kind, match, -negated_end)
        return Scopes(self._source.text, self._bodies)

    def _add(self, node: Node, kind: str, match: Captures, end: int) -> None:
        around = self._open[-1]
        name_node = match["name"][0]
        name = self._source.node(name_node)
        path = f"{around.path}.{name}" if around.path else name
        if kind == "function" and around.is_type:
            kind = "method"
        wrapper = self._wrappers.around(node)
        outer = node if wrapper is None else wrapper.outer
        public = around.public and self._is_public(name, around, "" if wrapper is None else wrapper.variety)
        scope = len(self.found)
        bodies = match.get("body")
        head = self._heads.read(node, match, name_node)
        self.found.append(
            Definition(
                name,
                path,
                kind,
                outer.start_point[0] + 1,
                self._last_line(outer),
                name_node.start_point[0] + 1,
                around.scope,
                head.signature,
                self._doc(outer, bodies),
                public,
                head.bases,
                [] if wrapper is None else wrapper.decorators,
                head.parameters,
                head.returns,
            )
        )
        if bodies:
            start, body_end = bodies[0].byte_range
            if self._language.runs_defaults and "parameters" in match:
                start = match["parameters"][0].start_byte
            self._bodies.append((start, body_end, scope, around.scope))
        is_type = kind in _TYPES
        self._open.append(_Open(end, scope, path, is_type, public and is_type))

    def add_constants(self, declared: list[Captures], scopes: Scopes) -> None:
        """Add the simple names declared at the top level that no function or type there has taken."""
        taken = {definition.name for definition in self.found if definition.scope == MODULE}
        rows = [(match["binding.declare"][0].start_byte, match) for match in declared]
        rows.sort(key=itemgetter(0))
        for start, match in rows:
            if scopes.at(start) == MODULE:
                node = match["binding.declare"][0]
                name = self._source.node(node)
                if name not in taken and name.replace("$", "_").isidentifier():
                    taken.add(name)
                    self._add_constant(name, node, (match.get("value") or match.get("annotation") or [node])[0])

    def _add_constant(self, name: str, node: Node, last: Node) -> None:
        wrapper = self._wrappers.around(node)
        outer = node if wrapper is None else wrapper.outer
        public = self._is_public(name, self._open[0], "" if wrapper is None else wrapper.variety)
        line = node.start_point[0] + 1
        end = self._last_line(last if wrapper is None else outer)
        doc = self._doc(outer, None)
        signature = self._source.folded(node.start_byte, last.end_byte)
        start = outer.start_point[0] + 1
        self.found.append(
            Definition(name, name, "constant", start, end, line, MODULE, signature, doc, public, [], [], [], "")
        )

    def _is_public(self, name: str, around: _Open, variety: str) -> bool:
        if not around.path and not self._language.public_by_name:
            return variety == "export"
        if not name.startswith(("_", "#")):
            return True
        return around.is_type and name.startswith("__") and name.endswith("__")

    def _doc(self, outer: Node, bodies: list[Node] | None) -> str:
        if not self._language.doc_in_body:
            return doc_above(self._source, outer.start_byte)
        return doc_in_body(self._source, *bodies[0].byte_range) if bodies else ""

    def _last_line(self, node: Node) -> int:
        """The line on which the code of a node ends: comments that trail in its last block do not count."""
        text, stop = self._source.text, node.end_byte
        last = text[text.rfind("\n", 0, stop) + 1 : stop]
        if not last or last.lstrip().startswith(self._language.comment):
            node = _last_token(node)
        return node.end_point[0] + 1


def _last_token(node: Node) -> Node:
    while True:
        children = [child for child in node.children if child.type != "comment"]
        if not children:
            return node
        node = children[-1]
