"""What `base.name` is, by what the base is: a module, a class, an instance, a container."""

from __future__ import annotations

from engram.extract.facts import MODULE as TOP
from engram.extract.resolve.containers import container_attribute
from engram.extract.resolve.evaluation import Evaluation
from engram.extract.resolve.hierarchy import class_key
from engram.extract.resolve.values import (
    CLASS,
    CONTAINER,
    DECLARED,
    EXTERNAL,
    FUNCTION,
    INSTANCE,
    MODULE,
    NOTHING,
    OUTSIDE,
    SUPER,
    VARIABLE,
    Value,
    Values,
    union,
)
from engram.extract.resolve.views import CLASSES, FileView


class Members(Evaluation):
    """Follows attributes."""

    def attribute(self, view: FileView, base: Value, name: str, depth: int) -> Values:
        """`base.name` as read in the file."""
        kind = base.kind
        if kind == OUTSIDE:
            return EXTERNAL
        if kind == MODULE:
            found = self._names.module_attribute(view, base, name)
            if not found and not view.python:
                found = self._default_member(base, name)
            return union([self.settle(value, depth) for value in found])
        if kind == CONTAINER:
            return container_attribute(view, base, name)
        if kind not in (CLASS, INSTANCE, DECLARED, SUPER) or depth <= 0:
            return NOTHING
        key = ("attribute", base, name, depth)
        return self._ledger.remember(base.path, key, self._attribute, base, name, depth)

    def _default_member(self, module: Value, name: str) -> Values:
        """`require("./x").name` where the module exports one class or object."""
        exported = self._names.member(module.path, "default")
        return union([self.attribute_of_class(value, name) for value in exported if value.kind == CLASS])

    def attribute_of_class(self, owner: Value, name: str) -> Values:
        """A member read off a class."""
        member = self._hierarchy.member(class_key(owner), name)
        return (Value(FUNCTION, member.path, member.at, (owner,)),) if member and member.at != TOP else NOTHING

    def _attribute(self, base: Value, name: str, depth: int) -> Values:
        if name == "__class__":
            return (Value(CLASS, base.path, base.at),)
        if base.kind == SUPER:
            return self._inherited(base, name)
        key = class_key(base)
        member = self._hierarchy.member(key, name)
        if member and member.at != TOP:
            view = self._names.view(member.path)
            if view is None:
                return NOTHING
            if view.definitions[member.at].kind in CLASSES:
                return (Value(CLASS, member.path, member.at),)
            if base.kind != CLASS and view.is_property(member.at):
                return self.returns(Value(FUNCTION, member.path, member.at, (base,)), depth - 1)
            return (Value(FUNCTION, member.path, member.at, (base,)),)
        outside = NOTHING
        for path, indexes in self._hierarchy.setters(key, name):
            found = union([self.settle(Value(VARIABLE, path, index), depth) for index in indexes])
            if any(value.kind != OUTSIDE for value in found):
                return found
            outside = outside or found
        return outside

    def _inherited(self, base: Value, name: str) -> Values:
        after = self._hierarchy.inherited(class_key(base), name)
        if after is None or after.at == TOP:
            return NOTHING
        return (Value(FUNCTION, after.path, after.at, (Value(DECLARED, base.path, base.at),)),)

    def super_of(self, view: FileView, scope: int) -> Values:
        """What `super()` is in a scope."""
        method = view.method_around(scope)
        return (Value(SUPER, view.path, view.definitions[method].scope),) if method != TOP else NOTHING
