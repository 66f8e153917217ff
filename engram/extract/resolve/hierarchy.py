"""Classes: their bases, the order in which members are looked up (C3), and who overrides what.

A class's order is complete before any member of it is looked up: a lookup in a half-built table would stick.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from engram.extract.facts import MODULE
from engram.extract.resolve.expressions import parse
from engram.extract.resolve.names import Names
from engram.extract.resolve.values import CLASS, Value
from engram.extract.resolve.views import FUNCTIONS, FileView

ClassKey = tuple[str, int]

MAX_OVERRIDING_FILES = 120  # a name that more files define as a method is no evidence; an edit would load them all
_MAX_ANCESTORS = 60  # more than any real class has; generated code must not exhaust the stack


class Member(NamedTuple):
    """A member found in a class: `at` is its definition, MODULE where it is only an attribute that is set."""

    path: str
    owner: int
    at: int


class Hierarchy:
    """The class table."""

    def __init__(self, names: Names, paths_of: Callable[[str], Sequence[str]]) -> None:
        self._names, self._ledger, self._paths_of = names, names.ledger, paths_of
        self._pending: set[ClassKey] = set()
        self._file_counts: dict[str, int] = {}
        self._families: dict[str, dict[ClassKey, list[tuple[str, int]]]] = {}

    def bases(self, key: ClassKey) -> list[ClassKey]:
        """The repository classes that a class names as its bases, in order."""
        return self._ledger.remember(key[0], ("bases", key), self._bases, key)

    def _bases(self, key: ClassKey) -> list[ClassKey]:
        view = self._names.view(key[0])
        if view is None:
            return []
        definition = view.definitions[key[1]]
        self._ledger.asked.add(f"{definition.name}\t{key[0]}")
        found: list[ClassKey] = []
        for text in definition.bases:
            tree = parse(text, view.typed)
            parts = tree[2] if tree and tree[0] == "call" else (tree,)  # with_metaclass(Meta, Base)
            for part in parts:
                values = self._names.static(view, definition.scope, part)
                found += [(value.path, value.at) for value in values[:1] if value.kind == CLASS]
        return [base for base in dict.fromkeys(found) if base != key]

    def order(self, key: ClassKey) -> list[ClassKey]:
        """The class and its ancestors within the repository, in the order of lookup."""
        return self._ledger.remember(key[0], ("order", key), self._order, key)

    def _order(self, key: ClassKey) -> list[ClassKey]:
        ancestors = self._breadth_first(key)
        if len(ancestors) > _MAX_ANCESTORS:
            return ancestors[:_MAX_ANCESTORS]
        return self._linear(key) or ancestors

    def _breadth_first(self, key: ClassKey) -> list[ClassKey]:
        """The class and its ancestors, nearest first: the order where Python would refuse one, and for huge trees."""
        found: dict[ClassKey, None] = {key: None}
        waiting = self.bases(key)
        while waiting and len(found) <= _MAX_ANCESTORS:
            found.update(dict.fromkeys(waiting))
            waiting = [base for ancestor in waiting for base in self.bases(ancestor) if base not in found]
        return list(found)

    def _linear(self, key: ClassKey) -> list[ClassKey] | None:
        """The C3 order (Barrett et al., 1996); None if there is none."""
        if key in self._pending:
            return None  # a class among its own ancestors
        return self._ledger.remember(key[0], ("linear", key), self._merge, key)

    def _merge(self, key: ClassKey) -> list[ClassKey] | None:
        bases = self.bases(key)
        self._pending.add(key)
        try:
            parts = [self._linear(base) for base in bases]
        finally:
            self._pending.discard(key)
        waiting = [list(part) for part in parts if part]
        if len(waiting) < len(parts):
            return None
        if len(waiting) == 1:
            return [key, *waiting[0]]
        waiting.append(list(bases))
        merged = [key]
        while any(waiting):
            heads = [part[0] for part in waiting if part]
            head = next((head for head in heads if not any(head in part[1:] for part in waiting)), None)
            if head is None:
                return None
            merged.append(head)
            waiting = [[other for other in part if other != head] for part in waiting]
        return merged

    def member(self, key: ClassKey, name: str) -> Member | None:
        """The first member of that name in the order of the class; None if there is none."""
        return self._ledger.remember(key[0], ("class member", key, name), self._member, key, name)

    def _member(self, key: ClassKey, name: str) -> Member | None:
        above, is_line = self._ancestors(key)
        own = self._own(key, name)
        if not above or (own and own.at != MODULE):
            return own
        if is_line:
            return self.member(above[0], name) or own
        return self._first(above, name) or own

    def _ancestors(self, key: ClassKey) -> tuple[list[ClassKey], bool]:
        """The order without the class itself, and whether the first of them has just that order."""
        return self._ledger.remember(key[0], ("ancestors", key), self._find_ancestors, key)

    def _find_ancestors(self, key: ClassKey) -> tuple[list[ClassKey], bool]:
        above = self.order(key)[1:]
        return above, bool(above) and above == self.order(above[0])

    def inherited(self, key: ClassKey, name: str) -> Member | None:
        """The first member of that name behind the class itself: what `super()` reaches."""
        return self._first(self.order(key)[1:], name)

    def _first(self, order: list[ClassKey], name: str) -> Member | None:
        attribute = None
        for key in order:
            own = self._own(key, name)
            if own and own.at != MODULE:
                return own
            attribute = attribute or own
        return attribute

    def _own(self, key: ClassKey, name: str) -> Member | None:
        path, owner = key
        self._ledger.asked.add(f"{name}\t{path}")
        view = self._names.view(path)
        if view is None:
            return None
        index = view.member(owner, name)
        if index != MODULE or name in view.attributes.get(owner, ()):
            return Member(path, owner, index)
        return self._elsewhere(view, owner, name) if view.detached else None

    def _elsewhere(self, view: FileView, owner: int, name: str) -> Member | None:
        """A method that another file declares for a type of this one."""
        own = view.definitions[owner].name
        key = f"method:{own}.{name}"
        self._ledger.asked.add(key + "\t")
        for path in self._paths_of(key):
            other = self._names.view(path) if path != view.path else None
            if other is None or other.language != view.language or other.is_test > view.is_test:
                continue
            self._ledger.asked.add(f"{name}\t{path}")
            for index, definition in enumerate(other.definitions):
                if definition.name == name and definition.kind == "method":
                    owners = self._names.packages.owner(other, index)
                    if Value(CLASS, view.path, owner) in owners:
                        return Member(path, owner, index)
        return None

    def setters(self, key: ClassKey, name: str) -> list[tuple[str, list[int]]]:
        """Where an attribute is set: (path, bindings) per class of the order that sets it, nearest first."""
        found = []
        for path, owner in self.order(key):
            self._ledger.asked.add(f"{name}\t{path}")
            view = self._names.view(path)
            indexes = view.attributes.get(owner, {}).get(name) if view else None
            if indexes:
                found.append((path, indexes))
        return found

    def overriders(self, key: ClassKey, name: str) -> list[tuple[str, int]]:
        """Methods of that name in classes that derive from `key`, by path and index; empty if there are too many."""
        self._ledger.asked.add(f"method:{name}\t")
        if name not in self._families:
            # A class that changes its bases is noted by its heirs, so the families need not be asked for one by one.
            self._families[name], _ = self._ledger.set_apart(self._family, name)
        found = self._families[name].get(key, [])
        for path, _ in found:
            self._ledger.asked.add(f"{name}\t{path}")
        return found

    def _family(self, name: str) -> dict[ClassKey, list[tuple[str, int]]]:
        """Ancestor -> the methods of that name below it."""
        family: dict[ClassKey, list[tuple[str, int]]] = {}
        for path, owner, index in self.methods_named(name):
            for ancestor in self.order((path, owner))[1:]:
                family.setdefault(ancestor, []).append((path, index))
        return family

    def count_files(self, name: str) -> int:
        """How many files outside of tests define a method of that name."""
        self._ledger.asked.add(f"method:{name}\t")
        known = self._file_counts.get(name)
        if known is None:
            known = self._file_counts[name] = len(self._paths_of("method:" + name))
        return known

    def methods_named(self, name: str) -> list[Member]:
        """All methods of a name outside of tests, by path and index; empty if too many files define one."""
        return self._ledger.remember("", ("methods", name), self._methods_named, name)

    def _methods_named(self, name: str) -> list[Member]:
        self._ledger.asked.add(f"method:{name}\t")
        paths = self._paths_of("method:" + name)
        found: list[Member] = []
        if len(paths) > MAX_OVERRIDING_FILES:
            return found
        for path in paths:
            view = self._names.view(path)
            if view is None:
                continue
            self._ledger.asked.add(f"{name}\t{path}")
            for owner in view.owners_of(name):
                index = view.member(owner, name)
                if view.definitions[index].kind in FUNCTIONS:
                    found.append(Member(path, owner, index))
        return found


def class_key(value: Value) -> ClassKey:
    """The class of a value."""
    return value.path, value.at
