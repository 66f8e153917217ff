"""What pytest passes to tests: values of `parametrize`, results of fixtures."""

from __future__ import annotations

import posixpath

from engram.extract.facts import Definition
from engram.extract.flow.evidence import Tally
from engram.extract.flow.passed import FlowTypes
from engram.extract.resolve.expressions import Tree, parse
from engram.extract.resolve.names import Names
from engram.extract.resolve.values import CONTAINER, FUNCTION, Value, Values
from engram.extract.resolve.views import FUNCTIONS, FileView

MAX_CASES = 60  # of one parametrize; a longer list repeats its kinds


def add_test_inputs(tally: Tally, names: Names, types: FlowTypes, view: FileView) -> None:
    """Counts what the tests of a file get."""
    for index, definition in enumerate(view.definitions):
        if definition.kind not in FUNCTIONS or not definition.parameters:
            continue
        positions = {parameter.name: at for at, parameter in enumerate(definition.parameters)}
        for name, tree in _parametrized(view, definition):
            if name in positions:
                values = types.evaluate(view, definition.scope, tree, definition.line)
                if values:
                    tally.add((view.path, index, positions[name]), values)
        if definition.name.startswith("test") or _is_fixture(definition):
            for name, position in positions.items():
                values = _fixture(names, types, view, name)
                if values:
                    tally.add((view.path, index, position), values)


def lines_expected_to_raise(view: FileView) -> frozenset[int]:
    """The lines of `with pytest.raises(...):` and those below them: what is called there fails before it does much."""
    raising = [site.line for site in view.facts.calls if site.callee.rpartition(".")[2] in ("raises", "assertRaises")]
    return frozenset([line + below for line in raising for below in (0, 1)])


def _parametrized(view: FileView, definition: Definition) -> list[tuple[str, Tree | None]]:
    """(parameter, expression) of every case in the function's decorators and in those of its class."""
    around = [view.definitions[definition.scope]] if definition.scope >= 0 else []
    found: list[tuple[str, Tree | None]] = []
    for text in [text for one in [definition, *around] for text in one.decorators]:
        tree = parse(text) if "parametrize(" in text else None
        if tree and tree[0] == "call" and len(tree[2]) >= 2 and tree[2][0] and tree[2][1]:
            names = _names_of(tree[2][0])
            for case in (tree[2][1][1] if tree[2][1][0] == "many" else ())[:MAX_CASES]:
                found += zip(names, _parts_of(case, len(names)), strict=False)
    return found


def _names_of(tree: Tree) -> list[str]:
    if tree[0] == "text":
        return [name.strip() for name in tree[1].split(",")]
    return [part[1] for part in tree[1] if part and part[0] == "text"] if tree[0] == "many" else []


def _parts_of(case: Tree | None, count: int) -> list[Tree | None]:
    if case and case[0] == "call" and case[1] and case[1][-1] == "param":
        return list(case[2])
    if count > 1:
        return list(case[1]) if case and case[0] == "many" else []
    return [case]


def _is_fixture(definition: Definition) -> bool:
    return any("fixture" in text for text in definition.decorators)


def _fixture(names: Names, types: FlowTypes, view: FileView, name: str) -> Values:
    """What the fixture of that name gives: one of the file, or of the nearest conftest.py."""
    folder = view.folder
    places: list[FileView | None] = [view]
    while True:
        path = posixpath.join(folder, "conftest.py")
        places.append(names.view(path))
        if not folder:
            break
        folder = posixpath.dirname(folder)
    for place in places:
        for index, definition in enumerate(place.definitions if place else ()):
            if place and definition.name == name and definition.kind in FUNCTIONS and _is_fixture(definition):
                found = types.returns(Value(FUNCTION, place.path, index), types.max_depth)
                return found[0].inner if len(found) == 1 and found[0].kind == CONTAINER else found
    return ()
