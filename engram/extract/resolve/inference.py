"""What an expression may be at run time, from constructors, annotations, attributes, returns and containers.

Every step that follows a value spends depth, and nothing is ever cut because it is "in progress": an answer depends
on the facts alone, not on the order of questions.
"""

from __future__ import annotations

from engram.extract.facts import MODULE as TOP
from engram.extract.resolve.containers import Containers
from engram.extract.resolve.evaluation import Arguments
from engram.extract.resolve.expressions import Tree, parse
from engram.extract.resolve.holders import Holders
from engram.extract.resolve.members import Members
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
    VARIABLE,
    Context,
    Value,
    Values,
    union,
)
from engram.extract.resolve.views import CLASSES, FileView

MAX_DEPTH = 6  # values followed from one expression: `a = b(); c = a.d; c.e()` spends four


class Types(Members, Containers, Holders):
    """Evaluates expressions."""

    max_depth = MAX_DEPTH

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
            return self.of_builtin(view, scope, name, arguments, line, depth, context) or results
        return results

    def _result_here(
        self, view: FileView, scope: int, value: Value, tree: Tree, line: int, depth: int, context: Context
    ) -> Values:
        """What one of the values that a call may mean gives; argument flow (`engram.extract.flow`) adds to this."""
        return self.result(value, depth - 1)

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
