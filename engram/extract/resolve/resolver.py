"""Facts of files -> edges between their definitions, for all files or for those that an edit concerns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from engram.extract.facts import FileFacts
from engram.extract.resolve.calls import Calls
from engram.extract.resolve.hierarchy import Hierarchy
from engram.extract.resolve.inference import Types
from engram.extract.resolve.names import MAX_HOPS, Names
from engram.extract.resolve.sites import CallEdge, Sites
from engram.extract.resolve.surface import index_keys, pack_asked
from engram.extract.resolve.values import MODULE
from engram.extract.resolve.views import CLASSES, FileView


class Inheritance(NamedTuple):
    """Class `subclass` of the file names class `base` of `path` as a base."""

    subclass: int
    path: str
    base: int


class FileEdges(NamedTuple):
    """All edges that leave one file, sorted; `asked` says which changes elsewhere concern them (`is_affected`)."""

    calls: list[CallEdge]
    imports: list[str]
    inherits: list[Inheritance]
    asked: bytes


class Resolver:
    """Resolves files one by one; what it has learned of other files serves the next one too.

    `load` gives the facts of a path (None: no such file) and is called once per path, until `forget` is.
    `paths_of` gives, for a key of `index_keys`, the paths of all files that have it, sorted.  `views` are files that
    are arranged already, by path.
    """

    def __init__(
        self,
        load: Callable[[str], FileFacts | None],
        paths_of: Callable[[str], Sequence[str]],
        make_types: Callable[[Names, Hierarchy], Types] = Types,
        views: Mapping[str, FileView] | None = None,
    ) -> None:
        self._names = Names(load, paths_of, views)
        self._hierarchy = Hierarchy(self._names, paths_of)
        self._calls = Calls(self._names, self._hierarchy, make_types(self._names, self._hierarchy))

    def forget(self, *, answers: bool = False) -> None:
        """Drop the files that are loaded, between two of those to resolve; what was found in them stays, unless the
        answers are to go, too: all of it together is most of what a resolver holds."""
        self._names.forget(answers=answers)

    def resolve_calls(self, path: str) -> list[CallEdge]:
        """The calls that leave the file.  KeyError if it has no facts."""
        view = self._names.view(path)
        if view is None:
            raise KeyError(path)
        self._names.ledger.begin(path)
        return Sites(self._calls, view).edges()

    def resolve_file(self, path: str) -> FileEdges:
        """The edges that leave the file; the same whatever was resolved before.  KeyError if it has no facts."""
        view = self._names.view(path)
        if view is None:
            raise KeyError(path)
        ledger = self._names.ledger
        ledger.begin(path)
        inherits = self._inherits(view)
        ancestors = set(ledger.asked)
        calls, imports = Sites(self._calls, view).edges(), self._imports(view)
        return FileEdges(calls, imports, inherits, pack_asked(ancestors, ledger.asked, path))

    def _imports(self, view: FileView) -> list[str]:
        found: set[str] = set()
        modules: dict[str, str] = {}
        for imported in view.facts.imports:
            if view.packaged:
                found.update(value.path for value in self._names.imported(view, imported, MAX_HOPS) if value.path)
                continue
            module = imported.module
            path = modules.get(module)
            if path is None:
                path = modules[module] = self._names.modules.find(view, module)
            if view.python and imported.symbol and (not path or path.endswith("__init__.py")):
                meant = self._names.imported(view, imported, MAX_HOPS)
                if len(meant) == 1 and meant[0].kind == MODULE:
                    path = meant[0].path
            if path:
                found.add(path)
        return sorted(found - {view.path})

    def _inherits(self, view: FileView) -> list[Inheritance]:
        return [
            Inheritance(index, path, base)
            for index, definition in enumerate(view.definitions)
            if definition.kind in CLASSES and definition.bases
            if len(self._hierarchy.order((view.path, index))) > 1  # asks for all ancestors: see `affected_files`
            for path, base in self._hierarchy.bases((view.path, index))
        ]


def resolve(facts: Iterable[FileFacts]) -> dict[str, FileEdges]:
    """The edges of all files, by path in order."""
    files = {one.path: one for one in facts}
    index = index_files(files)
    resolver = Resolver(files.get, lambda key: index.get(key, ()))
    return {path: resolver.resolve_file(path) for path in sorted(files)}


def index_files(files: Mapping[str, FileFacts]) -> dict[str, list[str]]:
    """The name index of all files: key -> paths in order."""
    index: dict[str, list[str]] = {}
    for path in sorted(files):
        for key in index_keys(files[path]):
            index.setdefault(key, []).append(path)
    return index
