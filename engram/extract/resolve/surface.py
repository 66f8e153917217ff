"""What a file shows to others, and what a change of it means to them.

A *change* is `name<TAB>path` (a name that means something else in a file) or `key<TAB>` (an entry of the name index);
what a file asked while it was resolved is kept in the same words, packed by `pack_asked`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from engram.extract.facts import MODULE, Definition, FileFacts
from engram.extract.resolve.modules import module_key
from engram.extract.resolve.views import CLASSES, FUNCTIONS, FileView, is_test_path

_INDEX = "//"  # stands for the name index where a path is expected; no path relative to a checkout begins with it

Surface = dict[str, list[Any]]


def index_keys(facts: FileFacts) -> list[str]:
    """What the file adds to the name index, sorted: its name as a module, the methods it defines (tests aside)."""
    keys = {module_key(facts.path)}
    if not is_test_path(facts.path):
        keys |= {"method:" + definition.name for definition in methods_of(facts)}
    return sorted(keys)


def methods_of(facts: FileFacts) -> list[Definition]:
    """The methods of a file's classes."""
    definitions = facts.definitions
    return [
        definition
        for definition in definitions
        if definition.kind == "method" and definition.scope != MODULE and definitions[definition.scope].kind in CLASSES
    ]


class Changes(NamedTuple):
    """`names` are the changes; `reshaped` those of them that are classes: with other bases than before, new or gone."""

    names: set[str]
    reshaped: set[str]


def surface_changes(edits: Mapping[str, tuple[FileFacts | None, FileFacts | None]]) -> Changes:
    """The changes between two states of some files, path -> (old, new), None where there is no file.

    Empty if only bodies differ, or lines.
    """
    names: set[str] = set()
    reshaped: set[str] = set()
    for path, (old, new) in edits.items():
        changes = _changes_of_file(path, old, new)
        names |= changes.names
        reshaped |= changes.reshaped
    return Changes(names, reshaped)


def _changes_of_file(path: str, old: FileFacts | None, new: FileFacts | None) -> Changes:
    before, after = (surface_of(facts) if facts else {} for facts in (old, new))
    names = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
    keys = set(index_keys(old) if old else ()) ^ set(index_keys(new) if new else ())
    classes = {qualname for qualname, _ in set(_class_bases(old).items()) ^ set(_class_bases(new).items())}
    for facts in (old, new):
        if facts:  # other bases: other methods are overridden
            keys |= {"method:" + d.name for d in methods_of(facts) if facts.definitions[d.scope].qualname in classes}
    return Changes(
        {f"{name}\t{path}" for name in names} | {key + "\t" for key in keys},
        {f"{qualname.rpartition('.')[2]}\t{path}" for qualname in classes},
    )


def _class_bases(facts: FileFacts | None) -> dict[str, tuple[str, ...]]:
    return {d.qualname: tuple(d.bases) for d in facts.definitions if d.kind in CLASSES} if facts else {}


def affected_files(changes: Changes, asked: Mapping[str, bytes], load: Callable[[str], FileFacts | None]) -> list[str]:
    """The paths whose edges may differ after the changes, sorted; the changed files themselves are not looked at.

    `asked` holds `FileEdges.asked` of every file.  A class that changes its bases changes who its heirs' methods
    override: so the methods of every file that looked at that class count as changed, too.
    """
    names = set(changes.names)
    if changes.reshaped:
        for path, questions in asked.items():
            facts = load(path) if is_affected(questions, changes.reshaped) else None
            if facts:
                names |= {f"method:{method.name}\t" for method in methods_of(facts)}
    return sorted([path for path, questions in asked.items() if is_affected(questions, names)])


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
    own = "\t" + path
    for question in sorted([question for question in asked if not question.endswith(own)]):
        name, _, where = question.partition("\t")
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
