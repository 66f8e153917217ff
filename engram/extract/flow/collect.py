"""One round over all call sites: what do they pass, as far as is known now?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress

from engram.extract.facts import MODULE as TOP
from engram.extract.facts import CallSite
from engram.extract.flow.evidence import Evidence, Tally
from engram.extract.flow.passed import FlowTypes
from engram.extract.flow.pytests import add_test_inputs, lines_expected_to_raise
from engram.extract.resolve.expressions import parse
from engram.extract.resolve.hierarchy import Hierarchy, class_key
from engram.extract.resolve.names import Names
from engram.extract.resolve.values import ANY_CALL, CLASS, DECLARED, FUNCTION, INSTANCE, NULL, OUTSIDE, Value, Values
from engram.extract.resolve.views import FUNCTIONS, FileView

MAX_OVERRIDES = 8  # an argument of a method call goes to the overrides too, unless they are a crowd


class Collector:
    """Finds what is passed; functions whose parameters are all declared need no evidence."""

    def __init__(
        self,
        names: Names,
        hierarchy: Hierarchy,
        types: FlowTypes,
        views: Iterable[FileView],
        arguments: Mapping[str, list[str]],
    ) -> None:
        self._names, self._hierarchy, self._types = names, hierarchy, types
        self._views = list(views)
        self._arguments = arguments
        self._wanted = _names_that_take_arguments(self._views)

    def collect(self) -> Evidence:
        """The evidence of all sites."""
        tally = Tally()
        for view in self._views:
            self._names.ledger.begin(view.path)
            expected = lines_expected_to_raise(view) if view.is_test else frozenset()
            arguments = self._arguments.get(view.path, [])
            if len(arguments) != len(view.facts.calls):
                arguments = [""] * len(view.facts.calls)  # the file has changed since its facts were extracted
            for site, passed in zip(view.facts.calls, arguments, strict=True):
                if passed and site.line not in expected and site.callee.rpartition(".")[2] in self._wanted:
                    with suppress(RecursionError):  # as in `Sites.edges`
                        self._add(tally, view, site, passed)
            if view.is_test:
                add_test_inputs(tally, self._names, self._types, view)
        return tally.weigh()

    def _add(self, tally: Tally, view: FileView, site: CallSite, arguments: str) -> None:
        tree = parse(f"f({arguments})", view.typed)
        if tree is None or tree[0] != "call":
            return
        values = self._types.evaluate(view, site.scope, parse(site.callee, view.typed), site.line)
        for function in self._functions(values):
            callee = self._names.view(function.path)
            if callee is None or (callee.is_test and not view.is_test):
                continue
            passed = self._types.bind(view, site.scope, function, tree, site.line, self._types.max_depth - 1, ANY_CALL)
            for position, given in enumerate(passed):
                if given and any(value.kind not in (OUTSIDE, NULL) for value in given):
                    tally.add((function.path, function.at, position), given)

    def _functions(self, values: Values) -> list[Value]:
        found: dict[Value, None] = {}
        for value in values:
            if value.kind == FUNCTION:
                found[value] = None
                name = self._name(value)
                for receiver in value.inner:
                    if receiver.kind == DECLARED:
                        overrides = self._hierarchy.overriders(class_key(receiver), name)
                        if len(overrides) <= MAX_OVERRIDES:
                            found |= {Value(FUNCTION, *override, value.inner): None for override in overrides}
            elif value.kind == CLASS:
                made = self._hierarchy.member(class_key(value), "__init__")
                if made and made.at != TOP:
                    found[Value(FUNCTION, made.path, made.at, (Value(INSTANCE, value.path, value.at),))] = None
        return list(found)

    def _name(self, function: Value) -> str:
        view = self._names.view(function.path)
        return view.definitions[function.at].name if view else ""


def _names_that_take_arguments(views: list[FileView]) -> set[str]:
    """Names by which something that takes arguments may be called."""
    names: set[str] = set()
    for view in views:
        for definition in view.definitions:
            if definition.kind not in FUNCTIONS or definition.parameters:
                names.add(definition.name)
        names |= {imported.name for imported in view.facts.imports if imported.symbol not in ("", imported.name)}
    return names
