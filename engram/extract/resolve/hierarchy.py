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
from engram.extract.resolve.views import FUNCTIONS

ClassKey = tuple[str, int]

MAX_OVERRIDING_FILES = 400  # a name that more files define as a method is no evidence; loading them all would stall
_MAX_ANCESTORS = 60  # deeper or wider than any real class; broken code can loop through imports


class Member(NamedTuple):
    """A member found in a class: `index` is its definition, MODULE where it is only an attribute that is set."""

    path: str
    owner: int
    index: int


class Hierarchy:
    """The class table."""

    def __init__(self, names: Names, paths_of: Callable[[str], Sequence[str]]) -> None:
        self._names, self._ledger, self._paths_of = names, names.ledger, paths_of

    def bases(self, key: ClassKey) -> list[ClassKey]:
        """The repository classes that a class names as its bases, in order."""
        return self._ledger.remember(("bases", key), self._bases, key)

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
                found += [(value.path, value.index) for value in values[:1] if value.kind == CLASS]
        return [base for base in dict.fromkeys(found) if base != key]

    def order(self, key: ClassKey) -> list[ClassKey]:
        """The class and its ancestors within the repository, in the order of lookup."""
        return self._ledger.remember(("order", key), self._order, key)

    def _order(self, key: ClassKey) -> list[ClassKey]:
        return _linearise(key, self.bases, ()) or self._breadth_first(key)

    def _breadth_first(self, key: ClassKey) -> list[ClassKey]:
        """All ancestors of a class that Python would refuse (an inconsistent order, a cycle), nearest first."""
        found: dict[ClassKey, None] = {}
        waiting = [key]
        while waiting and len(found) < _MAX_ANCESTORS:
            ancestor = waiting.pop(0)
            if ancestor not in found:
                found[ancestor] = None
                waiting += self.bases(ancestor)
        return list(found)

    def member(self, key: ClassKey, name: str, *, after: ClassKey | None = None) -> Member | None:
        """The first member of that name in the order of the class, or behind `after` in it; None if there is none."""
        return self._ledger.remember(("class member", key, name, after), self._member, key, name, after)

    def _member(self, key: ClassKey, name: str, after: ClassKey | None) -> Member | None:
        order = self.order(key)
        if after is not None:
            order = order[order.index(after) + 1 :] if after in order else []
        attribute = None
        for path, owner in order:
            self._ledger.asked.add(f"{name}\t{path}")
            view = self._names.view(path)
            if view is None:
                continue
            index = view.member(owner, name)
            if index != MODULE:
                return Member(path, owner, index)
            if attribute is None and name in view.attributes.get(owner, ()):
                attribute = Member(path, owner, MODULE)
        return attribute

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
        return self._ledger.remember(("overriders", key, name), self._overriders, key, name)

    def _overriders(self, key: ClassKey, name: str) -> list[tuple[str, int]]:
        return [
            (path, index)
            for path, owner, index in self.methods_named(name)
            if (path, owner) != key and key in self.order((path, owner))
        ]

    def methods_named(self, name: str) -> list[Member]:
        """All methods of a name outside of tests, by path and index; empty if too many files define one."""
        return self._ledger.remember(("methods", name), self._methods_named, name)

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


def _linearise(
    key: ClassKey, bases_of: Callable[[ClassKey], list[ClassKey]], below: tuple[ClassKey, ...]
) -> list[ClassKey] | None:
    """The C3 order (Barrett et al., 1996); None if there is none."""
    if key in below or len(below) > _MAX_ANCESTORS:
        return None
    bases = bases_of(key)
    parts = [_linearise(base, bases_of, (*below, key)) for base in bases]
    merged, waiting = [key], [list(part) for part in parts if part]
    if len(waiting) < len(parts):
        return None
    waiting.append(list(bases))
    while any(waiting):
        heads = [part[0] for part in waiting if part]
        head = next((head for head in heads if not any(head in part[1:] for part in waiting)), None)
        if head is None:
            return None
        merged.append(head)
        waiting = [[other for other in part if other != head] for part in waiting]
    return merged


def class_key(value: Value) -> ClassKey:
    """The class of a value."""
    return value.path, value.index
