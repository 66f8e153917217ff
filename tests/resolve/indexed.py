"""A project that is edited file by file, and what each edit has to leave: what resolving everything would give."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence

from engram.extract.facts import FileFacts
from engram.extract.resolve import FileEdges, Resolver, affected_files, asked_rows, index_keys, resolve, surface_changes
from tests.resolve.projects import facts_of, project, symbol

Files = dict[str, FileFacts]


class Indexed:
    """A project that is kept up to date the way an indexer does: old facts, a name index, what each file asked."""

    def __init__(self, files: Files) -> None:
        self.files = dict(files)
        self.edges = resolve(files.values())
        self.calls: dict[str, set[tuple[str, str, str, float]]] = {}
        self.inherits: dict[str, set[tuple[str, str, str]]] = {}
        for path in files:
            self._keep(path, self.edges[path])

    def _keep(self, path: str, edges: FileEdges) -> None:
        """Edges are kept by the names of symbols, as a graph keeps them: indexes shift when a file is edited."""
        names = self.files
        self.calls[path] = {
            (symbol(names[path], call.caller), call.path, symbol(names[call.path], call.callee), call.confidence)
            for call in edges.calls
        }
        self.inherits[path] = {
            (symbol(names[path], edge.subclass), edge.path, symbol(names[edge.path], edge.base))
            for edge in edges.inherits
        }
        self.edges[path] = edges

    def update(self, changed: dict[str, FileFacts | None]) -> list[str]:
        """Resolves what the changes concern and returns those paths."""
        old = self.files
        self.files = {path: facts for path, facts in {**old, **changed}.items() if facts is not None}
        changes = surface_changes({path: (old.get(path), facts) for path, facts in changed.items()})
        asked = {path: edges.asked for path, edges in self.edges.items()}
        affected = affected_files(changes, lambda rows: _askers(asked, rows, changed), self.files.get)
        redo = {*changed, *affected} & set(self.files)
        for path in set(old) - set(self.files):
            del self.calls[path], self.inherits[path], self.edges[path]
        resolver = Resolver(self.files.get, self._paths_of)
        for path in sorted(redo):
            self._keep(path, resolver.resolve_file(path))
        return sorted(redo)

    def _paths_of(self, key: str) -> list[str]:
        return sorted([path for path, facts in self.files.items() if key in index_keys(facts)])

    def check(self) -> None:
        """Equal to a project that was indexed from nothing."""
        fresh = Indexed(self.files)
        assert self.calls == fresh.calls
        assert self.inherits == fresh.inherits
        assert {path: edges.imports for path, edges in self.edges.items()} == {
            path: edges.imports for path, edges in fresh.edges.items()
        }
        assert {path: edges.asked for path, edges in self.edges.items()} == {
            path: edges.asked for path, edges in fresh.edges.items()
        }


def _askers(asked: dict[str, bytes], rows: Iterable[bytes], changed: Iterable[str]) -> dict[str, bytes]:
    """What the files asked that asked something of the rows, and the changed files."""
    wanted = set(rows)
    return {path: one for path, one in asked.items() if path in changed or wanted & set(asked_rows(one))}


def edit_at_random(
    chance: random.Random, paths: Sequence[str], write: Callable[[random.Random, str], str], edits: int = 4
) -> None:
    """Make a project of some of the paths, each written by `write`, edit it so often, and check it after each edit."""
    indexed = Indexed(project({path: write(chance, path) for path in paths if chance.random() < 0.8}))
    for _ in range(edits):
        changed: dict[str, FileFacts | None] = {}
        for path in chance.sample(paths, chance.choice([1, 1, 2])):
            gone = path in indexed.files and chance.random() < 0.2
            changed[path] = None if gone else facts_of(path, write(chance, path))
        indexed.update(changed)
        indexed.check()
