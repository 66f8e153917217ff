"""What a file shows to others, and what a change of it means to them.

A *change* is `name<TAB>path` (a name that means something else in a file) or `key<TAB>` (an entry of the name index);
what a file asked while it was resolved is kept in the same words, packed by `pack_asked`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from engram.extract.facts import MODULE, Definition, FileFacts
from engram.extract.resolve.modules import module_key
from engram.extract.resolve.packages import package_keys
from engram.extract.resolve.views import CLASSES, DETACHED, FUNCTIONS, PACKAGED, FileView, is_test_path

_INDEX = "//"  # stands for the name index where a path is expected; no path relative to a checkout begins with it
INDEX_ROW = _INDEX.encode()

Surface = dict[str, list[Any]]


def index_keys(facts: FileFacts) -> list[str]:
    """What the file adds to the name index, sorted: its name as a module, the methods it defines (tests aside)."""
    keys = {module_key(facts.path)}
    if not is_test_path(facts.path):
        keys |= {"method:" + definition.name for definition in methods_of(facts)}
    if facts.language in PACKAGED:
        keys |= package_keys(FileView(facts))
    return sorted(keys)


def methods_of(facts: FileFacts) -> list[Definition]:
    """The methods of a file's classes."""
    definitions = facts.definitions
    return [
        definition
        for definition in definitions
        if definition.kind == "method"
        and (
            facts.language in DETACHED or (definition.scope != MODULE and definitions[definition.scope].kind in CLASSES)
        )
    ]


def surface_changes(edits: Mapping[str, tuple[FileFacts | None, FileFacts | None]]) -> set[str]:
    """The changes between two states of some files, path -> (old, new), None where there is no file.

    Empty if only bodies differ, or lines.
    """
    changes: set[str] = set()
    for path, (old, new) in edits.items():
        before, after = (surface_of(facts) if facts else {} for facts in (old, new))
        names = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
        changes |= {f"{name}\t{path}" for name in names}
        keys = set(index_keys(old) if old else ()) ^ set(index_keys(new) if new else ())
        keys |= {"method:" + row[-1] for row in _overriding(old) ^ _overriding(new)}
        changes |= {key + "\t" for key in keys}
    return changes


def _overriding(facts: FileFacts | None) -> set[tuple[str, ...]]:
    """(class, its bases, a method of it): what may override methods of other classes."""
    if not facts:
        return set()
    classes = facts.definitions
    return {
        (classes[d.scope].qualname, *classes[d.scope].bases, d.name) if d.scope != MODULE else (d.qualname,)
        for d in methods_of(facts)
    }


def affected_files(
    changes: set[str],
    asked_of: Callable[[Iterable[bytes]], Mapping[str, bytes]],
    load: Callable[[str], FileFacts | None],
) -> list[str]:
    """The paths whose edges may differ after the changes, sorted.

    `asked_of` gives `FileEdges.asked`, as it was before the changes, of all files that asked something of the rows
    (`asked_rows`) and of the changed ones; others do no harm.  `load` gives facts as they are now.
    Where the ancestors of a file's classes may have changed, the methods it defines may override others than before:
    they count as changed, too.
    """
    everything, rows = set(changes), _by_row(changes)
    for path, questions in asked_of(_rows_of(changes)).items():
        facts = load(path) if _asks(_about_ancestors(questions), rows) else None
        if facts:
            everything |= {f"method:{method.name}\t" for method in methods_of(facts)}
    rows = _by_row(everything)
    return sorted([path for path, questions in asked_of(_rows_of(everything)).items() if _asks(questions, rows)])


def asked_rows(asked: bytes) -> list[bytes]:
    """Of what a file asked, packed: the other files' paths, and each entry of the name index after INDEX_ROW."""
    length, _, rows = asked.partition(b":")
    found: list[bytes] = []
    for row in rows[int(length) :].split(b"\0\0"):
        where, *names = row.strip(b"\0").split(b"\0")
        if where == INDEX_ROW:
            found += [where + name for name in names]
        elif where:
            found.append(where)
    return found


def _rows_of(changes: Iterable[str]) -> set[bytes]:
    rows = set()
    for change in changes:
        name, _, where = change.partition("\t")
        rows.add((where or _INDEX + name).encode("utf-8", "surrogatepass"))
    return rows


def surface_of(facts: FileFacts) -> Surface:
    """Name -> all that the file says of it, without lines: equal surfaces give equal answers to every other file.

    What a function binds goes by `function.name`: other functions of the file have their own; what it returns by
    `function()`, which only those ask who do something with the result.
    """
    view = FileView(facts)
    surface: Surface = {}
    for index, definition in enumerate(facts.definitions):
        if definition.kind not in CLASSES and definition.kind not in FUNCTIONS:
            continue
        shape = [definition.qualname, definition.kind, definition.bases, definition.decorators]
        surface.setdefault(definition.name, []).append([*shape, index in view.extending, index in view.stubs])
        surface.setdefault(definition.qualname + "()", []).append(definition.returns)
        for position, parameter in enumerate(definition.parameters):
            name = f"{definition.qualname}.{parameter.name.lstrip('*.')}"
            surface.setdefault(name, []).append([position, parameter])
    for imported in facts.imports:
        name = imported.name.partition(".")[0] if not imported.symbol else imported.name or "*"
        name = _local_name(view, imported.scope, name) if name != "*" else name
        surface.setdefault(name, []).append([_qualname(facts, imported.scope), *imported[1:4], imported.reexport])
    for exported in facts.exports:
        surface.setdefault(exported[0], []).append(exported)
        surface.setdefault("*", []).append(exported)
    _add_bindings(view, surface)
    for name in view.inner_names:  # a name that no scope binds is only looked for at the top
        surface.setdefault(name, []).append("bound inside")
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
            method = view.method_around(binding.scope)
            said.append(view.definitions[owners[index]].qualname)
            said.append(view.definitions[method].decorators if method != MODULE else [])  # what `self` is in it
        name = binding.target.rpartition(".")[2] if binding.target else scope + "()"
        if binding.target == name:
            name = _local_name(view, binding.scope, name)
        surface.setdefault(name, []).append(said)


def _local_name(view: FileView, scope: int, name: str) -> str:
    """A name of a function goes by the function's: other functions have their own `self` and `value`."""
    if scope == MODULE or view.definitions[scope].kind not in FUNCTIONS:
        return name
    return f"{view.definitions[scope].qualname}.{name}"


def _qualname(facts: FileFacts, scope: int) -> str:
    return facts.definitions[scope].qualname if scope != MODULE else ""


def pack_asked(ancestors: set[str], asked: set[str], path: str) -> bytes:
    """What the file at `path` asked, as bytes to keep: first about the ancestors of its classes, then of other files.

    Each part is a row per path of names, with NUL between all of them; the first is preceded by its length.
    """
    first = _pack(_by_path(ancestors))
    others = _by_path(asked)
    others.pop(path, None)
    return b"%d:" % len(first) + first + _pack(others)


def _by_path(asked: set[str]) -> dict[str, list[str]]:
    names: defaultdict[str, list[str]] = defaultdict(list)
    for question in asked:
        name, _, where = question.partition("\t")
        names[where or _INDEX].append(name)
    return names


def _pack(names: dict[str, list[str]]) -> bytes:
    rows = [f"\0\0{where}\0" + "\0".join(sorted(names[where])) + "\0" for where in sorted(names)]
    return ("".join(rows) + "\0\0").encode("utf-8", "surrogatepass")


def _about_ancestors(asked: bytes) -> bytes:
    length, _, rows = asked.partition(b":")
    return rows[: int(length)]


def _by_row(changes: Iterable[str]) -> dict[bytes, list[bytes]]:
    """The beginning of a packed row -> the names to look for in it."""
    rows: dict[bytes, list[bytes]] = {}
    for change in changes:
        name, _, where = change.partition("\t")
        row = f"\0\0{where or _INDEX}\0".encode("utf-8", "surrogatepass")
        rows.setdefault(row, []).append(f"\0{name}\0".encode("utf-8", "surrogatepass"))
    return rows


def _asks(asked: bytes, changes: dict[bytes, list[bytes]]) -> bool:
    """Whether a change is among what was asked."""
    for row, names in changes.items():
        start = asked.find(row)
        while start >= 0:
            start += len(row) - 1
            end = asked.find(b"\0\0", start + 1)
            if any(asked.find(name, start, end + 1) >= 0 for name in names):
                return True
            start = asked.find(row, end)
    return False
