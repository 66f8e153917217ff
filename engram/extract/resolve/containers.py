"""What comes out of containers: by iterating, subscripting, `with`, their methods, and the builtins that pass it on."""

from __future__ import annotations

from engram.extract.resolve.evaluation import Evaluation
from engram.extract.resolve.expressions import Tree
from engram.extract.resolve.values import (
    CALLABLE,
    CLASS,
    CONTAINER,
    DECLARED,
    EXTERNAL,
    INSTANCE,
    NOTHING,
    OUTSIDE,
    Context,
    Value,
    Values,
    union,
)
from engram.extract.resolve.views import FileView

_ELEMENT_METHODS = frozenset(["get", "pop", "popleft", "popitem", "setdefault", "at", "find", "shift", "next"])
_SAME_METHODS = frozenset(
    ["values", "items", "copy", "entries", "filter", "slice", "reverse", "sort", "concat", "union", "difference"]
)
_ITERATORS = frozenset(["iter", "iter_mut", "into_iter", "values_mut", "drain", "rev", "skip", "take"])  # of Rust
_SAME_FUNCTIONS = frozenset(
    ["list", "set", "tuple", "sorted", "reversed", "iter", "frozenset", "filter", "deque", "copy", "deepcopy", "chain"]
)
_ELEMENT_FUNCTIONS = frozenset(["next", "min", "max"])


def container_attribute(view: FileView, container: Value, name: str) -> Values:
    """A method of a container, as something that gives its elements or itself when it is called."""
    if name in _ELEMENT_METHODS:
        return (Value(CALLABLE, inner=container.inner),)
    same = name in _SAME_METHODS or (view.detached and name in _ITERATORS)
    return (Value(CALLABLE, inner=(container,)),) if same else EXTERNAL


class Containers(Evaluation):
    """Follows values into containers and out of them."""

    def of_builtin(
        self,
        view: FileView,
        scope: int,
        name: str,
        arguments: tuple[Tree, ...],
        line: int,
        depth: int,
        context: Context,
    ) -> Values:
        """What a builtin function gives for its arguments; empty for one that passes nothing on."""
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

    def entered(self, value: Value, depth: int) -> Values:
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
