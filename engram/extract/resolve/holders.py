"""What a variable or a parameter may hold: by its annotation, what is assigned, its default, its class."""

from __future__ import annotations

from engram.extract.facts import MODULE as TOP
from engram.extract.facts import Binding
from engram.extract.resolve.evaluation import Evaluation
from engram.extract.resolve.expressions import parse
from engram.extract.resolve.values import (
    ANY_CALL,
    CLASS,
    CONTAINER,
    DECLARED,
    EXTERNAL,
    NOTHING,
    OUTSIDE,
    PARAMETER,
    VARIABLE,
    Context,
    Value,
    Values,
    union,
)
from engram.extract.resolve.views import CLASSES, FileView

_CLASS_RECEIVERS = frozenset(["__new__", "__init_subclass__", "__class_getitem__"])


class Holders(Evaluation):
    """Follows names to what they hold."""

    def settle(self, value: Value, depth: int, context: Context = ANY_CALL) -> Values:
        """A value, or what a variable or parameter may hold."""
        if value.kind not in (VARIABLE, PARAMETER):
            return (value,)
        if depth <= 0:
            return NOTHING
        key = (value, depth, context)
        find = self._variable if value.kind == VARIABLE else self._parameter
        return self._ledger.remember(value.path, key, find, value, depth - 1, context)

    def _variable(self, value: Value, depth: int, context: Context) -> Values:
        view = self._names.view(value.path)
        if view is None:
            return NOTHING
        binding = view.facts.bindings[value.at]
        declared = NOTHING
        if binding.annotation:
            declared = self._annotations.read(view, binding.scope, binding.annotation, context.receiver)
            if any(known.kind != OUTSIDE for known in declared):
                return declared
        return self._assigned(view, binding, depth, context) or declared

    def _assigned(self, view: FileView, binding: Binding, depth: int, context: Context) -> Values:
        if not binding.value:
            return NOTHING
        tree = parse(binding.value, view.typed)
        if binding.element >= 0 and tree and tree[0] == "many" and binding.how == "assign":
            parts = tree[1]
            tree = parts[binding.element] if binding.element < len(parts) else None
            return self.evaluate(view, binding.scope, tree, binding.line, depth, context)
        found = self.evaluate(view, binding.scope, tree, binding.line, depth, context)
        if binding.how == "with":
            return union([self.entered(value, depth) for value in found])
        if binding.how == "for":
            found = self.elements(found, depth, "__iter__")
        elif binding.how == "except":
            return tuple([Value(DECLARED, v.path, v.at) for v in found if v.kind == CLASS]) or EXTERNAL
        if binding.element >= 0:
            inner = [v for v in found if v.kind == CONTAINER]
            return self.elements(tuple(inner), depth, "__iter__") if inner else found
        return found

    def _parameter(self, value: Value, depth: int, context: Context) -> Values:
        view = self._names.view(value.path)
        if view is None:
            return NOTHING
        definition, position = view.definitions[value.at], int(value.name)
        if view.detached and definition.parameters[position].name == "self":
            owners = self._names.packages.owner(view, value.at)
            return context.receiver or tuple([Value(DECLARED, v.path, v.at) for v in owners])
        around = definition.scope
        if position == 0 and around != TOP and view.definitions[around].kind in CLASSES and view.python:
            if "classmethod" in definition.decorators or definition.name in _CLASS_RECEIVERS:
                known = context.receiver or (Value(CLASS, view.path, around),)
                return tuple([Value(CLASS, v.path, v.at) for v in known])
            if "staticmethod" not in definition.decorators:
                return context.receiver or (Value(DECLARED, view.path, around),)
        return self._passed(view, value, depth, context)

    def _passed(self, view: FileView, value: Value, depth: int, context: Context) -> Values:
        """What a parameter that is no receiver holds, by its annotation and default."""
        definition = view.definitions[value.at]
        parameter = definition.parameters[int(value.name)]
        found = NOTHING
        if parameter.annotation:
            found = self._annotations.read(view, value.at, parameter.annotation, context.receiver)
        if parameter.default and all(known.kind == OUTSIDE for known in found):
            default = parse(parameter.default, view.typed)
            if default and default[0] in ("name", "attr", "call"):
                found = union([found, self.evaluate(view, definition.scope, default, definition.line, depth)])
        if found and parameter.name.startswith("*"):
            return (Value(CONTAINER, inner=found),)
        return found
