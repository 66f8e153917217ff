"""One pass over the definitions of a file in the order of the source, with a stack of those that are open."""

from __future__ import annotations

import re
from typing import NamedTuple

from tree_sitter import Node

from engram.extract.documentation import doc_above, doc_in_body
from engram.extract.facts import MODULE, Definition
from engram.extract.grammar import Captures
from engram.extract.heads import Heads
from engram.extract.languages import Language
from engram.extract.names import read_name, read_owner
from engram.extract.source import Source
from engram.extract.wrappers import Wrapper, Wrappers

_CLASSES = frozenset({"class", "interface", "enum", "struct", "trait", "record"})
_METHODS_INSIDE = _CLASSES | {"implementation"}  # their functions are methods
_PUBLIC_INSIDE = _CLASSES | {"type", "namespace"}  # what these hold can be reached from outside
_CONTRACTS = frozenset({"interface", "trait"})  # what these declare is as public as they are
_QUOTES = "'\"`"
MAX_NESTING = 40  # definitions deeper than this are left out: each name repeats those around it
_BEYOND = 1 << 62  # past the end of any file

Candidate = tuple[int, int, int, str, Node, Captures]  # start, -end, order, kind (or "holder" ...), node, captures


class _Place(NamedTuple):
    """Where a definition belongs: `scope` is the definition around it, `path` its qualname."""

    name: str
    path: str
    kind: str
    scope: int


class _Open(NamedTuple):
    """A definition or holder whose end has not been reached: what is inside gets `path` before its name."""

    end: int
    scope: int
    path: str
    kind: str
    public: bool
    contract: bool = False


class Nesting:
    """Builds `found`, and `bodies` as (start, end, scope) in bytes; `body_starts` leaves parameters out."""

    def __init__(self, source: Source, language: Language, wrappers: Wrappers, listed: set[str]) -> None:
        self._source = source
        self._language = language
        self._wrappers = wrappers
        self._listed = listed
        self._heads = Heads(source, language)
        self._open = [_Open(_BEYOND, MODULE, "", "module", True)]
        self._implemented: list[tuple[str, str]] = []  # path of a type, what it implements
        self._by_path: dict[str, int] = {}
        self._detached: dict[int, str] = {}  # method -> the path of its type, which may stand below it or elsewhere
        self._public_head = re.compile(language.public_head) if language.public_head else None
        self._public_name = re.compile(language.public_name) if language.public_name else None
        self._signature = ""  # the path of the last definition, where that has no body
        self.found: list[Definition] = []
        self.bodies: list[tuple[int, int, int]] = []
        self.body_starts: set[int] = set()

    def add(self, candidates: list[Candidate]) -> None:
        """Add candidates that come sorted, but for those nested deeper than MAX_NESTING."""
        for start, negated_end, _, kind, node, match in candidates:
            while self._open[-1].end <= start:
                self._open.pop()
            if len(self._open) > MAX_NESTING:
                continue
            if kind == "implementation":
                self._open_implementation(-negated_end, match)
                continue
            kind = "" if kind == "holder" else kind
            name = match["name"][0] if "name" in match else None
            text = "default" if name is None else self._source.node(name)
            if not text.strip(_QUOTES):  # a name that the parser has put in to mend a broken line, or `{"": ...}`
                continue
            place = self._place(text, kind) if "owner" not in match else self._owned(text, kind, match["owner"][0])
            wrapper = self._wrappers.around(node)
            public = self._open[-1].public and (self._public_head is not None or self._is_public(place, wrapper))
            scope = self._open[-1].scope
            if kind:
                scope = self._number(place, "body" in match)
                self._add(node, name or node, place, match, wrapper, public)
                self._add_body(match, scope)
            inner_public = public and (place.kind in _PUBLIC_INSIDE or not kind)
            self._open.append(_Open(-negated_end, scope, place.path, place.kind, inner_public, kind in _CONTRACTS))

    def find_owners(self) -> None:
        """Give methods that are declared apart from their type the scope of that type, if it is of this file."""
        for index, path in self._detached.items():
            owner = self._by_path.get(path, MODULE)
            if owner != MODULE:
                self.found[index] = self.found[index]._replace(scope=owner)
        for path, base in self._implemented:
            owner = self._by_path.get(path, MODULE)
            if owner != MODULE and base not in self.found[owner].bases:
                self.found[owner].bases.append(base)

    def add_base(self, scope: int, text: str) -> None:
        """Add a base that stands in the body of a definition."""
        if scope != MODULE:
            self.found[scope].bases.append(text)

    def _open_implementation(self, end: int, match: Captures) -> None:
        """What follows up to `end` are methods of a type; where it says so, those that a base asks for."""
        around = self._open[-1]
        owner = read_owner(self._source.node(match["name"][0]))
        path = f"{around.path}.{owner}" if around.path else owner
        bases = [self._source.node(base) for base in match.get("bases", ())]
        self._implemented += [(path, base) for base in bases]
        self._open.append(_Open(end, around.scope, path, "implementation", around.public, bool(bases)))

    def _owned(self, name: str, kind: str, owner: Node) -> _Place:
        """The place of a method whose head names its type."""
        path = read_owner(self._source.node(owner))
        self._detached[len(self.found)] = path
        return _Place(name, f"{path}.{name}", kind, MODULE)

    def _place(self, text: str, kind: str) -> _Place:
        around = self._open[-1]
        if "." not in text:  # nearly all
            name = text.strip(_QUOTES)
            kind = "method" if kind == "function" and around.kind in _METHODS_INSIDE else kind
            if around.kind == "implementation":
                self._detached[len(self.found)] = around.path
            return _Place(name, f"{around.path}.{name}" if around.path else name, kind, around.scope)
        named = read_name(text, self._language.receivers)
        if named.of_receiver and around.kind == "method":
            around = self._open[-2]
        name = named.name or ("default" if kind else "")
        owner = ".".join([part for part in (around.path, *named.owners) if part])
        scope = self._by_path.get(owner, around.scope) if named.owners else around.scope
        kind = "method" if kind == "function" and (around.kind in _CLASSES or named.of_prototype) else kind
        return _Place(name, f"{owner}.{name}" if owner and name else owner or name, kind, scope)

    def _number(self, place: _Place, has_body: bool) -> int:
        """The index of the next definition; a signature without a body gives way to what it announces."""
        if self._signature == place.path and self.found[-1].kind == place.kind and not self._language.overloads:
            self.found.pop()
        self._signature = "" if has_body else place.path
        self._by_path.setdefault(place.path, len(self.found))
        return len(self.found)

    def _add(
        self, node: Node, name: Node, place: _Place, match: Captures, wrapper: Wrapper | None, public: bool
    ) -> None:
        first = node if wrapper is None else wrapper.outer
        last = first if first.end_byte > node.end_byte else node
        decorators = [] if wrapper is None else wrapper.decorators
        if "decorator" in match:
            decorators = decorators + [self._source.node(mark).lstrip("@ ") for mark in match["decorator"]]
        head = self._heads.read(node, match, name)
        public = public and not head.signature.startswith(self._language.private_words)
        if self._public_head and public and not self._open[-1].contract:
            public = bool(self._public_head.match(head.signature))
        self.found.append(
            Definition(
                place.name,
                place.path,
                place.kind,
                first.start_point[0] + 1,
                self._last_line(last),
                name.start_point[0] + 1,
                place.scope,
                head.signature,
                self._doc(first, match.get("body")),
                public,
                head.bases,
                decorators,
                head.parameters,
                head.returns,
            )
        )

    def _add_body(self, match: Captures, scope: int) -> None:
        if "body" in match:
            start, end = match["body"][0].byte_range
            self.body_starts.add(start)
            if self._language.runs_defaults and "parameters" in match:
                start = match["parameters"][0].start_byte
            self.bodies.append((start, end, scope))

    def add_constant(self, name: str, node: Node, last: Node) -> None:
        """Add a name that is bound at the top level; its code ends with `last`."""
        wrapper = self._wrappers.around(node)
        first = node if wrapper is None else wrapper.outer
        end = self._last_line(first if first.end_byte > last.end_byte else last)
        public = self._is_public(_Place(name, name, "constant", MODULE), wrapper, top=True)
        start = first.start_byte if self._public_head else node.start_byte
        signature = self._source.folded(start, last.end_byte, spelled=not self._source.spelling)
        if self._public_head:
            public = bool(self._public_head.match(signature))
        doc = self._doc(first, None)
        row, line = first.start_point[0] + 1, node.start_point[0] + 1
        self.found.append(
            Definition(name, name, "constant", row, end, line, MODULE, signature, doc, public, [], [], [], "")
        )

    def _is_public(self, place: _Place, wrapper: Wrapper | None, top: bool = False) -> bool:
        """Whether a place whose surroundings are public is public itself."""
        around = self._open[0 if top else -1]
        if self._public_name:
            return bool(self._public_name.match(place.name))
        if not around.path:
            if self._listed and place.path in self._listed:
                return True
            if not self._language.public_by_name:
                return (wrapper is not None and wrapper.variety == "export") or place.path == ""
            return not self._listed and not place.name.startswith("_")
        if not place.name.startswith(("_", "#")):
            return True
        return around.kind in _CLASSES and place.name.startswith("__") and place.name.endswith("__")

    def _doc(self, first: Node, bodies: list[Node] | None) -> str:
        if not self._language.doc_in_body:
            return doc_above(self._source, first.start_byte, self._language.line_docs)
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
