"""Go, Rust and Java: where a name leads that several files share.

A package of Go is a folder, one of Java is what its files say it is, a module of Rust is a file found along a path from
the root of its crate.  What is not found is outside of the repository or unknown, never guessed: an import whose last
part merely looks like a folder leads to a name only if that folder defines it.
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from engram.extract.facts import MODULE as TOP
from engram.extract.facts import Import
from engram.extract.resolve.values import CLASS, EXTERNAL, MODULE, NOTHING, Value, Values, union
from engram.extract.resolve.views import CLASSES, FileView

if TYPE_CHECKING:
    from engram.extract.resolve.names import Names

_ROOT_FILES = ("lib.rs", "main.rs", "mod.rs")  # files that stand for their folder
PLACE_WORDS = frozenset(["self", "super", "Self"])  # of Rust: they mean another thing in every scope
_BESIDE = frozenset(["tests", "examples", "benches"])  # folders of a package whose files are crates of their own
_SOURCES = ("", "src/")  # folders that a Go import path may leave out (a workspace in GOPATH, the standard library)


class Packages:
    """Looks names up beyond the file; answers are those of `Names`."""

    def __init__(self, names: Names) -> None:
        self._names, self._modules, self._ledger = names, names.modules, names.ledger

    def shared(self, view: FileView, name: str, hops: int) -> Values:
        """What a name that the file does not bind means at its top level."""
        if view.language == "go":
            found = self._of_folder(view, name, hops)
        elif view.language == "java":
            found = self._class(view.package, name, hops)
        else:
            found = self._word(view, TOP, name)
        if found or hops <= 0:
            return found
        return union([self._through_star(view, star, name, hops - 1) for star in view.stars])

    def imported(self, view: FileView, imported: Import, hops: int) -> Values:
        """What an import binds."""
        if hops <= 0:
            return NOTHING
        if view.language == "java":
            found = self._class(imported.module, imported.symbol, hops)
            return found or self._member(self._qualified(imported.module, hops), imported.symbol) or EXTERNAL
        if not imported.symbol:
            path = self.module(view, imported)
            return (Value(MODULE, path),) if path else EXTERNAL
        owners = self._path(view, imported.scope, imported.module.split("."), hops)
        found = union([self._below(view, owner, imported.symbol, hops) for owner in owners])
        return found or (NOTHING if owners else EXTERNAL)

    def module(self, view: FileView, imported: Import) -> str:
        """The path of the file that an import of a whole package or module means; "" if none of the repository."""
        if view.language == "go":
            return self._ledger.remember("", ("go", imported.module), self._folder, imported.module)
        below = self._child(view.path, imported.module)
        return below or self._crate(view, imported.module)

    def word(self, view: FileView, scope: int, name: str) -> Values:
        """`crate`, `self`, `super` and `Self` as seen from a scope; nothing for another word."""
        return self._word(view, scope, name) if view.language == "rust" else NOTHING

    def owner(self, view: FileView, scope: int) -> Values:
        """The type whose method `scope` is or lies in, wherever that type is declared."""
        definitions = view.definitions
        while scope != TOP and definitions[scope].kind != "method":
            if definitions[scope].kind in CLASSES and definitions[scope].kind != "namespace":
                return (Value(CLASS, view.path, scope),)
            scope = definitions[scope].scope
        if scope == TOP:
            return NOTHING
        around = definitions[scope].scope
        if around != TOP and definitions[around].kind in CLASSES and definitions[around].kind != "namespace":
            return (Value(CLASS, view.path, around),)
        name = definitions[scope].qualname.split(".")[-2]
        return tuple([value for value in self._names.static(view, around, ("name", name)) if value.kind == CLASS])

    # Go

    def _of_folder(self, view: FileView, name: str, hops: int) -> Values:
        paths = self._modules.paths(f"name:{view.folder}:{view.package}.{name}")
        return union([self._names.own(path, name, hops) for path in sorted(paths) if path != view.path])

    def _folder(self, module: str) -> str:
        parts = module.split("/")
        if len(parts) > 1 and parts[-1][:1] == "v" and parts[-1][1:].isdigit():
            parts.pop()
        name, stem = parts[-1], "/".join(parts)
        folders: dict[str, list[str]] = {}
        for path in sorted(self._modules.paths("module:" + name)):
            if path.endswith(".go") and not path.endswith("_test.go"):
                folders.setdefault(posixpath.dirname(path), []).append(path)
        fitting = [folder for folder in folders if stem.endswith("/" + folder) or folder == "src/" + stem]
        if fitting:
            found = folders[max(fitting, key=len)]
            return next((path for path in found if path.endswith((f"/{name}.go", "/doc.go"))), found[0])
        for path in sorted(self._modules.paths("module:/go")):
            view = self._names.view(path)
            if view and "." in parts[0] and view.package == name and not path.endswith("_test.go"):
                return path
        return ""

    # Java

    def _class(self, package: str, name: str, hops: int) -> Values:
        """The class of a package; a package that lies in several source roots has its files in each."""
        for path in sorted(self._modules.paths("module:" + name)):
            view = self._names.view(path) if path.endswith(".java") else None
            if view is not None:
                self._ledger.asked.add(f"()\t{path}")
                found = self._names.own(path, name, hops) if view.package == package else NOTHING
                if found:
                    return found
        return NOTHING

    def _qualified(self, dotted: str, hops: int) -> Values:
        """The class of a name with package and outer classes."""
        package, _, name = dotted.rpartition(".")
        if not package or hops <= 0:
            return NOTHING
        return self._class(package, name, hops) or self._member(self._qualified(package, hops - 1), name)

    def _member(self, owners: Values, name: str) -> Values:
        return union([self._names.below(owner, name) for owner in owners if owner.kind == CLASS])

    # Rust

    def _word(self, view: FileView, scope: int, name: str) -> Values:
        if name == "Self":
            return self.owner(view, scope)
        if name == "crate":
            root = self._root(view.path)
            return (Value(MODULE, root),) if root else NOTHING
        if name in ("self", "super"):
            return self._around(view, scope, 1 if name == "super" else 0)
        path = self._crate(view, name)
        return (Value(MODULE, path),) if path else NOTHING

    def _around(self, view: FileView, scope: int, up: int) -> Values:
        """The module that a scope lies in, or one around that."""
        while scope != TOP and (view.definitions[scope].kind != "namespace" or up):
            up -= view.definitions[scope].kind == "namespace"
            scope = view.definitions[scope].scope
        if scope != TOP:
            return (Value(CLASS, view.path, scope),)
        path = view.path if not up else self._above(view.path)
        return (Value(MODULE, path),) if path else NOTHING

    def _path(self, view: FileView, scope: int, parts: list[str], hops: int) -> Values:
        """What a path of Rust leads to."""
        if parts[0] in ("crate", "self", "super"):
            found = self._word(view, scope, parts[0])
        else:
            found = self._names.own(view.path, parts[0], hops - 1) or self._word(view, scope, parts[0])
        for part in parts[1:]:
            if part == "super":
                views = [self._names.view(value.path) for value in found]
                found = union(
                    [
                        self._around(v, TOP if o.kind == MODULE else o.at, 1)
                        for v, o in zip(views, found, strict=True)
                        if v
                    ]
                )
            else:
                found = union([self._below(view, value, part, hops - 1) for value in found])
        return found

    def _below(self, view: FileView, owner: Value, name: str, hops: int) -> Values:
        if owner.kind == CLASS:
            return self._names.below(owner, name)
        if owner.kind != MODULE or not owner.path:
            return NOTHING
        found = self._names.member(owner.path, name, hops)
        child = "" if found else self._child(owner.path, name)
        return (Value(MODULE, child),) if child else found

    def _child(self, path: str, name: str) -> str:
        """The file of the module `name` declared in the file at `path`."""
        folder, base = posixpath.split(path)
        if base not in _ROOT_FILES:
            folder = path.removesuffix(".rs")
        stem = posixpath.join(folder, name)
        paths = self._modules.paths("module:" + name)
        return next((tried for tried in (stem + ".rs", stem + "/mod.rs") if tried in paths), "")

    def _above(self, path: str) -> str:
        """The file of the module around that of a file; "" for the root of a crate."""
        folder, base = posixpath.split(path)
        if base in ("lib.rs", "main.rs"):
            return ""
        if base == "mod.rs":
            folder = posixpath.dirname(folder)
        return self._standing_for(folder)

    def _standing_for(self, folder: str) -> str:
        for stem in ("lib", "main", "mod"):
            path = posixpath.join(folder, stem + ".rs")
            key = "module:" + (stem if stem != "mod" else posixpath.basename(folder) or "mod")
            if path in self._modules.paths(key):
                return path
        path = folder + ".rs"
        return path if folder and path in self._modules.paths("module:" + posixpath.basename(folder)) else ""

    def _root(self, path: str) -> str:
        """The root file of the crate that a file belongs to; the file itself where nothing stands above it."""
        folder = posixpath.dirname(path)
        while True:
            for stem in ("lib", "main"):
                root = posixpath.join(folder, stem + ".rs")
                if root in self._modules.paths("module:" + stem):
                    return root
            if not folder or posixpath.basename(folder) in _BESIDE or posixpath.basename(folder) == "src":
                return path
            folder = posixpath.dirname(folder)

    def _crate(self, view: FileView, name: str) -> str:
        """The root of another crate of the repository: by its folder's name, or that of the package around the file."""
        roots = [path for path in self._modules.paths("module:lib") if path.endswith(".rs")]
        named = [path for path in roots if _crate_folder(path).replace("-", "_") == name]
        if len(named) == 1:
            return named[0]
        parts = view.folder.split("/")
        for beside in _BESIDE.intersection(parts):
            own = "/".join([*parts[: parts.index(beside)], "src/lib.rs"])
            if own in roots and not named and name in posixpath.basename(posixpath.dirname(own[:-7]) or name):
                return own
        return ""

    def _through_star(self, view: FileView, star: Import, name: str, hops: int) -> Values:
        if view.language == "java":
            return self._class(star.module, name, hops) or self._member(self._qualified(star.module, hops), name)
        if view.language == "go":
            path = self.module(view, star)
            return self._names.member(path, name, hops) if path else NOTHING
        owners = self._path(view, star.scope, star.module.split("."), hops)
        kept = [owner for owner in owners if owner.path != view.path or owner.kind == CLASS]
        return union([self._below(view, owner, name, hops) for owner in kept])


def _crate_folder(root: str) -> str:
    """The name of the folder that holds a crate: what is above `src`."""
    folder = posixpath.dirname(root)
    if posixpath.basename(folder) == "src":
        folder = posixpath.dirname(folder)
    return posixpath.basename(folder)


def package_keys(view: FileView) -> set[str]:
    """What a file adds to the name index so that the other files of its package find its names and methods."""
    keys = set()
    if view.language == "go":
        keys = {f"name:{view.folder}:{view.package}.{name}" for name in view.scopes.get(TOP, {})}
    if view.detached:
        keys |= {"method:" + ".".join(d.qualname.split(".")[-2:]) for d in view.definitions if d.kind == "method"}
    return keys
