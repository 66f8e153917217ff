"""Types with evidence: parameters hold what is passed, and a function returns what it returns for these arguments."""

from __future__ import annotations

from collections.abc import Mapping

from engram.extract.facts import MODULE as TOP
from engram.extract.flow.evidence import Parameter
from engram.extract.resolve.evaluation import Arguments
from engram.extract.resolve.expressions import Tree
from engram.extract.resolve.hierarchy import Hierarchy
from engram.extract.resolve.inference import Types
from engram.extract.resolve.names import Names
from engram.extract.resolve.values import CLASS, FUNCTION, NOTHING, NULL, OUTSIDE, Context, Value, Values, union
from engram.extract.resolve.views import CLASSES, FileView

MAX_DEPTH = 15  # deeper than without evidence: a value often comes through two or three makers of one kind of object


class FlowTypes(Types):
    """`Types`, where a parameter without a declared class holds what `evidence` says."""

    max_depth = MAX_DEPTH

    def __init__(self, names: Names, hierarchy: Hierarchy, evidence: Mapping[Parameter, Values]) -> None:
        super().__init__(names, hierarchy)
        self._evidence = evidence

    def _passed(self, view: FileView, value: Value, depth: int, context: Context) -> Values:
        usual = super()._passed(view, value, depth, context)
        position = int(value.name)
        parameter = view.definitions[value.at].parameters[position]
        if parameter.annotation and any(known.kind != OUTSIDE for known in usual):
            return usual
        evidence = self._evidence.get((value.path, value.at, position), NOTHING)
        if context.function != (value.path, value.at):
            return union([evidence, usual])
        given = context.arguments[position]
        if given is None:
            return union([evidence, usual])
        return given or usual or ((Value(NULL),) if parameter.default in ("", "None") else NOTHING)

    def _result_here(
        self, view: FileView, scope: int, value: Value, tree: Tree, line: int, depth: int, context: Context
    ) -> Values:
        arguments: Arguments = ()
        if value.kind == FUNCTION and self.depends_on_arguments(value):
            arguments = self.bind(view, scope, value, tree, line, depth - 1, context)
        return self.result(value, depth - 1, arguments)

    def depends_on_arguments(self, function: Value) -> bool:
        """Whether what a function returns is not declared, and it has parameters."""
        view = self._names.view(function.path)
        if view is None:
            return False
        definition = view.definitions[function.at]
        return not definition.returns and bool(definition.parameters) and function.at in view.results

    def bind(
        self, view: FileView, scope: int, function: Value, tree: Tree, line: int, depth: int, context: Context
    ) -> Arguments:
        """The arguments of a call by position of the parameter: None unknown, NOTHING not passed."""
        callee = self._names.view(function.path)
        parameters = callee.definitions[function.at].parameters if callee else []
        bound: list[Values | None] = [NOTHING] * len(parameters)
        position = 1 if callee and self.takes_receiver(callee, function) else 0
        if position and bound:
            bound[0] = None
        for argument in tree[2]:
            if (argument and argument[0] == "starred") or position >= len(bound):
                bound[position:] = [None] * (len(bound) - position)
                break
            if parameters[position].name.startswith("*"):
                break
            bound[position] = self._argument(view, scope, argument, line, depth, context)
            position += 1
        names = {parameter.name: at for at, parameter in enumerate(parameters)}
        for name, argument in tree[3]:
            if name in names:
                bound[names[name]] = self._argument(view, scope, argument, line, depth, context)
        return tuple(bound)

    def _argument(
        self, view: FileView, scope: int, argument: Tree | None, line: int, depth: int, context: Context
    ) -> Values | None:
        if argument == ("none",):
            return NOTHING
        found = self.evaluate(view, scope, argument, line, depth, context)
        return NOTHING if found and all(value.kind == NULL for value in found) else found or None

    def takes_receiver(self, view: FileView, function: Value) -> bool:
        """Whether the first parameter is filled by what the function was taken from."""
        definition = view.definitions[function.at]
        around = definition.scope
        if not function.inner or around == TOP or view.definitions[around].kind not in CLASSES:
            return False
        if "staticmethod" in definition.decorators or not view.python:
            return False
        return function.inner[0].kind != CLASS or "classmethod" in definition.decorators
