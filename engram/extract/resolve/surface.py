"""What a file shows to others, and what a change of it means to them.

A *change* is `name<TAB>path` (a name that means something else in a file) or `key<TAB>` (an entry of the name index);
what a file asked while it was resolved is kept in the same words, packed by `pack_asked`.
"""

from __future__ import annotations

from typing import Any

from engram.extract.facts import MODULE, FileFacts
from engram.extract.resolve.modules import module_key
from engram.extract.resolve.views import CLASSES, FUNCTIONS, FileView, is_test_path

_INDEX = "//"  # stands for the name index where a path is expected; no path relative to a checkout begins with it

Surface = dict[str, list[Any]]


def index_keys(facts: FileFacts) -> list[str]:
    """What the file adds to the name index, sorted: its name as a module, the methods it defines (tests aside)."""
    keys = [module_key(facts.path)]
    if not is_test_path(facts.path):
        keys += ["method:" + name for name in FileView(facts).method_names]
    return sorted(keys)


def surface_changes(old: FileFacts | None, new: FileFacts | None) -> set[str]:
    """The changes between two states of one file, either of which may be absent; empty if only bodies differ."""
    path = (old or new).path if old or new else ""  # type: ignore[union-attr]
    before, after = (surface_of(facts) if facts else {} for facts in (old, new))
    names = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
    keys = set(index_keys(old) if old else ()) ^ set(index_keys(new) if new else ())
    for facts in (old, new):
        if facts:
            keys |= _methods_of_changed_classes(facts, names)
    return {f"{name}\t{path}" for name in names} | {key + "\t" for key in keys}


def _methods_of_changed_classes(facts: FileFacts, names: set[str]) -> set[str]:
    """A class with other bases overrides other methods."""
    return {
        "method:" + definition.name
        for definition in facts.definitions
        if definition.scope != MODULE
        and definition.kind in FUNCTIONS
        and facts.definitions[definition.scope].kind in CLASSES
        and (definition.name in names or facts.definitions[definition.scope].name in names)
    }


def surface_of(facts: FileFacts) -> Surface:
    """Name -> all that the file says of it, without lines: equal surfaces give equal answers to every other file."""
    view = FileView(facts)
    surface: Surface = {}
    for index, definition in enumerate(facts.definitions):
        if definition.kind not in CLASSES and definition.kind not in FUNCTIONS:
            continue
        shape = [definition.qualname, definition.kind, definition.bases, definition.decorators, definition.returns]
        surface.setdefault(definition.name, []).append([*shape, definition.parameters, index in view.extending])
        for position, parameter in enumerate(definition.parameters):
            surface.setdefault(parameter.name.lstrip("*."), []).append([definition.qualname, position, parameter])
    for imported in facts.imports:
        name = imported.name.partition(".")[0] if not imported.symbol else imported.name or "*"
        surface.setdefault(name, []).append([_qualname(facts, imported.scope), *imported[1:4], imported.reexport])
    for exported in facts.exports:
        surface.setdefault(exported[0], []).append(exported)
        surface.setdefault("*", []).append(exported)
    _add_bindings(view, surface)
    return surface


def _add_bindings(view: FileView, surface: Surface) -> None:
    owners = {
        index: owner for owner, names in view.attributes.items() for indexes in names.values() for index in indexes
    }
    positions: dict[int, int] = {}
    for index, binding in enumerate(view.facts.bindings):
        scope = _qualname(view.facts, binding.scope)
        position = positions[binding.scope] = positions.get(binding.scope, -1) + 1
        said = [scope, *binding[1:4], *binding[5:]]
        if binding.scope != MODULE and view.definitions[binding.scope].kind in FUNCTIONS:
            said.append(position)  # which assignments stand above a use
        if index in owners:
            said.append(view.definitions[owners[index]].qualname)
        name = binding.target.rpartition(".")[2] if binding.target else scope.rpartition(".")[2]
        surface.setdefault(name, []).append(said)


def _qualname(facts: FileFacts, scope: int) -> str:
    return facts.definitions[scope].qualname if scope != MODULE else ""


def pack_asked(asked: set[str], path: str) -> bytes:
    """What the file at `path` asked of others, as bytes to keep: per path the names, NUL between all of them."""
    names: dict[str, list[str]] = {}
    for question in sorted(asked):
        name, _, where = question.partition("\t")
        if where != path:
            names.setdefault(where or _INDEX, []).append(name)
    rows = [f"\0\0{where}\0" + "\0".join(names[where]) + "\0" for where in sorted(names)]
    return ("".join(rows) + "\0\0").encode("utf-8", "surrogatepass")


def is_affected(asked: bytes, changes: set[str]) -> bool:
    """Whether a file that asked this must be resolved anew after the changes."""
    for change in changes:
        name, _, where = change.partition("\t")
        row = f"\0\0{where or _INDEX}\0".encode("utf-8", "surrogatepass")
        start = asked.find(row)
        if start >= 0:
            start += len(row) - 1
            end = asked.find(b"\0\0", start + 1)
            if asked.find(f"\0{name}\0".encode("utf-8", "surrogatepass"), start, end + 1) >= 0:
                return True
    return False
