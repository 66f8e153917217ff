"""What an expression may be at run time, from constructors, annotations, attributes, returns and containers.

Every step that follows a value spends depth, and nothing is ever cut because it is "in progress": an answer depends
on the facts alone, not on the order of questions.
"""

from __future__ import annotations

from engram.extract.facts import MODULE as TOP
from engram.extract.facts import Binding
from engram.extract.resolve.annotations import Annotations
from engram.extract.resolve.expressions import Tree, parse
from engram.extract.resolve.hierarchy import Hierarchy, class_key
from engram.extract.resolve.names import Names
from engram.extract.resolve.values import (
    ANY_CALL,
    CALLABLE,
    CLASS,
    CONTAINER,
    DECLARED,
    EXTERNAL,
    FUNCTION,
    INSTANCE,
    MODULE,
    NOTHING,
    OUTSIDE,
    PARAMETER,
    SUPER,
    VARIABLE,
    Context,
    Value,
    Values,
    union,
)
from engram.extract.resolve.views import CLASSES, FileView

MAX_DEPTH = 6  # values followed from one expression: `a = b(); c = a.d; c.e()` spends four

_ELEMENT_METHODS = frozenset(["get", "pop", "popleft", "popitem", "setdefault", "at", "find", "shift", "next"])
_SAME_METHODS = frozenset(
    ["values", "items", "copy", "entries", "filter", "slice", "reverse", "sort", "concat", "union", "difference"]
)
_ITERATORS = frozenset(["iter", "iter_mut", "into_iter", "values_mut", "drain", "rev", "skip", "take"])  # of Rust
_SAME_FUNCTIONS = frozenset(
    ["list", "set", "tuple", "sorted", "reversed", "iter", "frozenset", "filter", "deque", "copy", "deepcopy", "chain"]
)
_ELEMENT_FUNCTIONS = frozenset(["next", "min", "max"])
_CLASS_RECEIVERS = frozenset(["__new__", "__init_subclass__", "__class_getitem__"])


Arguments = tuple[Values | None, ...]  # by position of the parameter, None where nothing is known


class Types:
    """Evaluates expressions."""

    max_depth = MAX_DEPTH

    def __init__(self, names: Names, hierarchy: Hierarchy) -> None:
        self._names, self._ledger, self._hierarchy = names, names.ledger, hierarchy
        self._annotations = Annotations(names)

    def evaluate(
        self,
        view: FileView,
        scope: int,
        tree: Tree | None,
        line: int,
        depth: int | None = None,
        context: Context = ANY_CALL,
    ) -> Values:
        """The values of an expression read at a line of a scope; empty if nothing is known.

        `context` tells of the call for which the function around the scope is read.
        """
        if depth is None:
            depth = self.max_depth
        if tree is None or depth <= 0:
            return NOTHING
        kind = tree[0]
        if kind == "name":
            return self._name(view, scope, tree[1], line, depth, context)
        if kind == "attr":
            bases = self.evaluate(view, scope, tree[1], line, depth, context)
            return union([self.attribute(view, base, tree[2], depth - 1) for base in bases])
        if kind == "call":
            return self._call(view, scope, tree, line, depth, context)
        if kind == "item":
            return self.elements(self.evaluate(view, scope, tree[1], line, depth, context), depth, "__getitem__")
        if kind == "either":
            return union([self.evaluate(view, scope, part, line, depth, context) for part in tree[1]])
        if kind == "many":
            parts = tree[1][:20]  # a table longer than that repeats its kinds
            return (
                Value(
                    CONTAINER,
                    inner=union([self.evaluate(view, scope, part, line, depth - 1, context) for part in parts]),
                ),
            )
        if kind == "cast":
            return self._annotations.of(view, scope, tree[1], context.receiver, depth)
        return NOTHING if kind == "none" else EXTERNAL

    def _name(self, view: FileView, scope: int, name: str, line: int, depth: int, context: Context) -> Values:
        if name == "this" and not view.python and not view.detached:
            return context.receiver or self._this(view, scope)
        if name == "super" and not view.python and not view.detached:
            return self.super_of(view, scope)
        owner, found = self._names.look_up(view, scope, name)
        if owner == TOP and view.enclosing and (member := self._of_classes_around(view, scope, name, depth)):
            return member
        if not found:
            return EXTERNAL if owner == TOP else NOTHING
        if len(found) == 1 and found[0].kind in (CLASS, FUNCTION, MODULE, OUTSIDE):
            return found
        if owner != TOP and len(found) > 1:
            found = self._reaching(view, found, line)
        return union([self.settle(value, depth, context if owner != TOP else ANY_CALL) for value in found])

    def _of_classes_around(self, view: FileView, scope: int, name: str, depth: int) -> Values:
        """A member of one of the classes around, called or read by its bare name."""
        while scope != TOP:
            if view.definitions[scope].kind in CLASSES:
                found = self.attribute(view, Value(DECLARED, view.path, scope), name, depth - 1)
                if found:
                    return found
            scope = view.definitions[scope].scope
        return NOTHING

    def _reaching(self, view: FileView, found: Values, line: int) -> Values:
        """Without the assignments that stand below the line, unless all do (a loop)."""
        bindings = view.facts.bindings
        below = {v for v in found if v.kind == VARIABLE and v.path == view.path and bindings[v.at].line >= line}
        return tuple([v for v in found if v not in below]) or found

    def _this(self, view: FileView, scope: int) -> Values:
        method = view.method_around(scope)
        return (Value(DECLARED, view.path, view.definitions[method].scope),) if method != TOP else NOTHING

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
            return union([self._entered(value, depth) for value in found])
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
            if name in _ELEMENT_METHODS:
                return (Value(CALLABLE, inner=base.inner),)
            same = name in _SAME_METHODS or (view.detached and name in _ITERATORS)
            return (Value(CALLABLE, inner=(base,)),) if same else EXTERNAL
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

    def _call(self, view: FileView, scope: int, tree: Tree, line: int, depth: int, context: Context) -> Values:
        function, arguments = tree[1], tree[2]
        name = function[-1] if function and function[0] in ("name", "attr") else ""
        if function and function[0] == "name" and name == "super":
            return self.super_of(view, scope)
        if name == "cast" and len(arguments) == 2:
            return self._annotations.of(view, scope, arguments[0], context.receiver, depth)
        found = self.evaluate(view, scope, function, line, depth, context)
        results = union([self._result_here(view, scope, value, tree, line, depth, context) for value in found])
        if arguments and all(value.kind == OUTSIDE for value in results):
            return self._of_builtin(view, scope, name, arguments, line, depth, context) or results
        return results

    def _result_here(
        self, view: FileView, scope: int, value: Value, tree: Tree, line: int, depth: int, context: Context
    ) -> Values:
        """What one of the values that a call may mean gives; argument flow (`engram.extract.flow`) adds to this."""
        return self.result(value, depth - 1)

    def _of_builtin(
        self,
        view: FileView,
        scope: int,
        name: str,
        arguments: tuple[Tree, ...],
        line: int,
        depth: int,
        context: Context,
    ) -> Values:
        if name not in _SAME_FUNCTIONS and name not in _ELEMENT_FUNCTIONS and name not in ("type", "enumerate", "zip"):
            return NOTHING
        first = self.evaluate(view, scope, arguments[-1 if name == "filter" else 0], line, depth, context)
        if name == "type":
            return tuple([Value(CLASS, v.path, v.at) for v in first if v.kind in (INSTANCE, DECLARED)])
        if name in ("copy", "deepcopy"):
            return first
        inner = self.elements(first, depth, "__iter__")
        if name in _ELEMENT_FUNCTIONS:
            return inner
        return (Value(CONTAINER, inner=inner),) if inner else NOTHING

    def super_of(self, view: FileView, scope: int) -> Values:
        """What `super()` is in a scope."""
        method = view.method_around(scope)
        return (Value(SUPER, view.path, view.definitions[method].scope),) if method != TOP else NOTHING

    def result(self, value: Value, depth: int, arguments: Arguments = ()) -> Values:
        """What calling a value with arguments gives."""
        if value.kind == CLASS:
            return (Value(INSTANCE, value.path, value.at),)
        if value.kind == FUNCTION:
            return self.returns(value, depth, arguments)
        if value.kind == CALLABLE:
            return value.inner
        if value.kind in (INSTANCE, DECLARED):
            called = self.attribute_of_class(value, "__call__")
            return union([self.returns(function, depth) for function in called])
        return EXTERNAL if value.kind == OUTSIDE else NOTHING

    def returns(self, function: Value, depth: int, arguments: Arguments = ()) -> Values:
        """What a function returns, `function.inner` being its receiver."""
        if depth <= 0:
            return NOTHING
        key = ("returns", function, depth, arguments)
        return self._ledger.remember(function.path, key, self._returns, function, depth, arguments)

    def _returns(self, function: Value, depth: int, arguments: Arguments) -> Values:
        view = self._names.view(function.path)
        if view is None:
            return NOTHING
        definition = view.definitions[function.at]
        self._ledger.asked.add(f"{definition.qualname}()\t{function.path}")
        receiver = tuple([v if v.kind != CLASS else Value(DECLARED, v.path, v.at) for v in function.inner])
        if definition.returns:
            found = self._annotations.read(view, function.at, definition.returns, receiver)
            if found:
                return found
        context = Context(receiver, (function.path, function.at) if arguments else ("", -1), arguments)
        results = view.results.get(function.at, ())
        found = union(
            [
                self.evaluate(view, function.at, parse(result.value, view.typed), result.line, depth - 1, context)
                for result in results
            ]
        )
        if any(result.how == "yield" for result in results):
            return (Value(CONTAINER, inner=found),)
        return found

    def _entered(self, value: Value, depth: int) -> Values:
        """What `with value as name` binds."""
        if value.kind == CONTAINER:
            return value.inner
        if value.kind not in (INSTANCE, DECLARED):
            return EXTERNAL if value.kind == OUTSIDE else NOTHING
        entering = self.attribute_of_class(value, "__enter__") or self.attribute_of_class(value, "__aenter__")
        found = union([self.returns(function, depth) for function in entering])
        return found or (value,)

    def elements(self, values: Values, depth: int, method: str) -> Values:
        """What iterating or subscripting gives."""
        found = []
        for value in values:
            if value.kind == CONTAINER:
                found.append(value.inner)
            elif value.kind in (INSTANCE, DECLARED):
                called = self.attribute_of_class(value, method)
                results = union([self.returns(function, depth - 1) for function in called])
                nested = [v.inner for v in results if v.kind == CONTAINER]
                found.append(union(nested) if method == "__iter__" else results)
            elif value.kind == OUTSIDE:
                found.append(EXTERNAL)
        return union(found)
