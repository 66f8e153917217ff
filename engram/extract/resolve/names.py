"""Where a name leads without evaluating anything: scopes, imports, re-exports, stars, aliases."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from engram.extract.facts import MODULE as TOP
from engram.extract.facts import FileFacts, Import
from engram.extract.resolve.expressions import Tree, parse
from engram.extract.resolve.ledger import Ledger
from engram.extract.resolve.modules import ModuleTable
from engram.extract.resolve.packages import PLACE_WORDS, Packages
from engram.extract.resolve.values import (
    CLASS,
    EXTERNAL,
    FUNCTION,
    MODULE,
    NOTHING,
    OUTSIDE,
    PARAMETER,
    VARIABLE,
    Value,
    Values,
    union,
)
from engram.extract.resolve.views import CLASSES, FUNCTIONS, FileView, Local

MAX_HOPS = 8  # imports and aliases followed from one name; chains of five are known from real packages


class Names:
    """Looks names up; answers hold CLASS, FUNCTION, MODULE and OUTSIDE, and VARIABLE or PARAMETER where a name has no
    definition but a value."""

    def __init__(
        self,
        load: Callable[[str], FileFacts | None],
        paths_of: Callable[[str], Sequence[str]],
        views: Mapping[str, FileView] | None = None,
    ) -> None:
        self.ledger = Ledger()
        self.modules = ModuleTable(paths_of, self.ledger)
        self.packages = Packages(self)
        self._load = load
        self._views: dict[str, FileView | None] = {**(views or {})}

    def view(self, path: str) -> FileView | None:
        """The file; None if it has no facts."""
        if path not in self._views:
            facts = self._load(path)
            self._views[path] = FileView(facts) if facts is not None else None
        return self._views[path]

    def forget(self, *, answers: bool = False) -> None:
        """Drop the files that are loaded; what was found in them stays, unless the answers are to go, too."""
        self._views.clear()
        if answers:
            self.ledger.forget()

    def look_up(self, view: FileView, scope: int, name: str) -> tuple[int, Values]:
        """The scope that binds the name as seen from `scope`, and what it is there; nothing for a built-in."""
        if scope != TOP and name not in view.inner_names and not (view.detached and name in PLACE_WORDS):
            scope = TOP
        return self.ledger.remember(view.path, (view.path, scope, name), self._look_up, view, scope, name)

    def _look_up(self, view: FileView, scope: int, name: str) -> tuple[int, Values]:
        self.ledger.asked.add(f"{name}\t{view.path}")
        at = scope
        while at != TOP:
            local = view.scopes.get(at, {}).get(name)
            definition = view.definitions[at]
            if definition.kind in FUNCTIONS:
                self.ledger.asked.add(f"{definition.qualname}.{name}\t{view.path}")
            if local and (
                definition.kind not in CLASSES
                or (at == scope and view.python)
                or (view.packaged and view.shows(at, local))
            ):
                hows = {view.facts.bindings[index].how for index in local.bindings}
                if "global" in hows:
                    break
                if "nonlocal" not in hows:
                    return at, self._meanings(view, at, local, MAX_HOPS)
            at = definition.scope
        if view.packaged and (found := self.packages.word(view, scope, name)):
            return TOP, found
        return TOP, self._top_level(view, name, MAX_HOPS)

    def own(self, path: str, name: str, hops: int) -> Values:
        """What the file itself binds a name to at its top level."""
        self.ledger.asked.add(f"{name}\t{path}")
        view = self.view(path)
        local = view.scopes.get(TOP, {}).get(name) if view and hops > 0 else None
        return self._meanings(view, TOP, local, hops) if view and local else NOTHING

    def member(self, path: str, name: str, hops: int = MAX_HOPS) -> Values:
        """What a module hands out under a name."""
        return self.ledger.remember(path, ("member", path, name, hops), self._member, path, name, hops)

    def _member(self, path: str, name: str, hops: int) -> Values:
        self.ledger.asked.add(f"{name}\t{path}")
        view = self.view(path)
        if view is None or hops <= 0:
            return NOTHING
        if not view.python:
            self.ledger.asked.add("*\t" + path)
            found = union(
                [self._top_level(view, local, hops - 1) for local in view.exports.get(name, ()) if local]
                + [self.imported(view, imported, hops - 1) for imported in view.reexports.get(name, ())]
            )
            if found:
                return found
        return self._top_level(view, name, hops)

    def _top_level(self, view: FileView, name: str, hops: int) -> Values:
        local = view.scopes.get(TOP, {}).get(name)
        if local:
            return self._meanings(view, TOP, local, hops)
        self.ledger.asked.add("*\t" + view.path)
        if view.packaged:
            return self.packages.shared(view, name, hops)
        if view.stars:
            found = union([self._through_star(view, star, name, hops - 1) for star in view.stars])
            if found:
                return found
        if view.python and view.path.endswith("__init__.py"):
            path = self.modules.find_dotted(view, f"/{view.folder}/{name}" if view.folder else "/" + name)
            if path and path != view.path:
                return (Value(MODULE, path),)
        return NOTHING

    def _through_star(self, view: FileView, star: Import, name: str, hops: int) -> Values:
        path = self.modules.find(view, star.module)
        other = self.view(path) if path and hops > 0 else None
        if other is None:
            return NOTHING
        if view.python:
            self.ledger.asked.add("*\t" + path)
            if name not in other.exports and (other.exports or name.startswith("_")):
                return NOTHING
        elif name == "default":
            return NOTHING
        return self.member(path, name, hops)

    def _meanings(self, view: FileView, scope: int, local: Local, hops: int) -> Values:
        groups: list[Values] = []
        if local.definitions:
            index = view.choose(local.definitions)
            kind = CLASS if view.definitions[index].kind in CLASSES else FUNCTION
            groups.append((Value(kind, view.path, index),))
        groups += [self.imported(view, imported, hops - 1) for imported in local.imports]
        groups += [(Value(VARIABLE, view.path, index),) for index in local.bindings]
        if local.parameter >= 0:
            groups.append((Value(PARAMETER, view.path, scope, (), str(local.parameter)),))
        return groups[0] if len(groups) == 1 else union(groups)

    def imported(self, view: FileView, imported: Import, hops: int) -> Values:
        """What an import binds."""
        if hops <= 0:
            return NOTHING
        if view.packaged:
            return self.packages.imported(view, imported, hops)
        if not imported.symbol or (imported.symbol == "*" and imported.name):
            return self._module(view, imported)
        path = self.modules.find(view, imported.module)
        if path and (path != view.path or imported.scope != TOP):
            found = self.member(path, imported.symbol, hops)
            if found or not view.python:
                return found
        if view.python:
            stem = self.modules.absolute(view, imported.module)
            glue = "/" if stem.startswith("/") else "."
            below = self.modules.find_dotted(view, f"{stem.rstrip('/')}{glue}{imported.symbol}")
            if below:
                return (Value(MODULE, below),)
        return NOTHING if path else EXTERNAL

    def _module(self, view: FileView, imported: Import) -> Values:
        path = self.modules.find(view, imported.module)
        if not view.python or not imported.name.endswith(imported.module) or "." not in imported.module:
            return (Value(MODULE, path, name=imported.module),) if path else EXTERNAL
        root = imported.module.partition(".")[0]
        above = self.modules.find_dotted(view, root)
        return (Value(MODULE, above, name=root),) if above or path else EXTERNAL

    def module_attribute(self, view: FileView, module: Value, name: str) -> Values:
        """`module.name`, as the file that writes it sees it."""
        if module.path:
            found = self.member(module.path, name)
            if found:
                return found
        if view.python and module.name:
            dotted = f"{module.name}.{name}"
            path = self.modules.find_dotted(view, dotted)
            if path or not module.path:
                return (Value(MODULE, path, name=dotted),)
        return NOTHING

    def static(self, view: FileView, scope: int, tree: Tree | None, hops: int = MAX_HOPS) -> Values:
        """What an expression of names, attributes and subscripts names: classes, functions, modules."""
        if tree is None or hops <= 0:
            return NOTHING
        kind = tree[0]
        if kind == "name":
            _, found = self.look_up(view, scope, tree[1])
            return union([self._settled(value, hops) for value in found]) if found else NOTHING
        if kind == "attr":
            return union([self._below(view, value, tree[2], hops) for value in self.static(view, scope, tree[1], hops)])
        if kind == "item":
            return self.static(view, scope, tree[1], hops)
        if kind == "text":
            return self.static(view, scope, parse(tree[1]), hops - 1)
        if kind == "either":
            return union([self.static(view, scope, part, hops) for part in tree[1]])
        return NOTHING

    def _settled(self, value: Value, hops: int) -> Values:
        """A value, or what a variable was set to where that is a name again (`Alias = package.Class`)."""
        if value.kind != VARIABLE:
            return (value,) if value.kind != PARAMETER else NOTHING
        view = self.view(value.path)
        binding = view.facts.bindings[value.at] if view else None
        if view is None or binding is None or binding.how != "assign" or binding.element >= 0:
            return NOTHING
        tree = parse(binding.value, view.typed)
        return self.static(view, binding.scope, tree, hops - 1) if tree and tree[0] != "text" else NOTHING

    def _below(self, view: FileView, value: Value, name: str, hops: int) -> Values:
        if value.kind == OUTSIDE:
            return EXTERNAL
        if value.kind == MODULE:
            found = self.module_attribute(view, value, name)
            return union([self._settled(inner, hops) for inner in found])
        return self.below(value, name)

    def below(self, value: Value, name: str) -> Values:
        """The class or function that stands in a class, or in a module within a file."""
        owner = self.view(value.path)
        if value.kind != CLASS or owner is None:
            return NOTHING
        self.ledger.asked.add(f"{name}\t{value.path}")
        index = owner.member(value.at, name)
        if index == TOP:
            return NOTHING
        return (Value(CLASS if owner.definitions[index].kind in CLASSES else FUNCTION, value.path, index),)
