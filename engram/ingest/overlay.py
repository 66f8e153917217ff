"""The facts and names of a checkout as they will be after an update: what is new, over what is stored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from engram.extract.facts import MODULE, FileFacts
from engram.extract.resolve import asked_rows, index_keys
from engram.ingest.rows import module_id, symbol_ids
from engram.ingest.stored import Stored


class IdsOfFiles:
    """The ids of symbols by their place among the definitions of a file."""

    def __init__(self, load: Callable[[str], FileFacts | None]) -> None:
        self._load = load
        self._ids: dict[str, list[str]] = {}

    def symbol(self, path: str, index: int) -> str:
        """The id of definition `index` of a file; MODULE is its top level."""
        if path not in self._ids:
            facts = self._load(path)
            self._ids[path] = all_ids(facts) if facts is not None else []
        return self._ids[path][index - MODULE]


class Overlay:
    """Facts by path and paths by name as they are after a change: path -> new facts, None for gone files.

    `old` holds what was stored of the changed files; `names` the entries of names that the change adds to or takes
    from: name -> paths, sorted, empty where none is left.
    """

    def __init__(self, stored: Stored, changed: dict[str, FileFacts | None]) -> None:
        self._stored = stored
        self.changed = changed
        before = zip(changed, stored.facts(changed), strict=True)
        self.old = {path: facts for path, facts in before if facts is not None}
        self.names = self._changed_names()
        self.symbol_id = IdsOfFiles(self.load).symbol

    def load(self, path: str) -> FileFacts | None:
        """The facts of a file; None if it is not indexed."""
        return self.changed[path] if path in self.changed else self._stored.facts([path])[0]

    def paths_of(self, name: str) -> list[str]:
        """The files that have `name` among their index keys."""
        return self.names[name] if name in self.names else self._stored.names([name])[0]

    def asked_of(self, rows: Iterable[bytes]) -> dict[str, bytes]:
        """What those files asked before the change that asked something of the rows, and the changed files."""
        askers = {path for paths in self._stored.askers(rows) for path in paths}
        return self._stored.asked(sorted(askers | self.changed.keys()))

    def changed_askers(self, asked: dict[str, bytes]) -> dict[bytes, list[str]]:
        """The rows that other files ask than before, with all that do now; `asked` is b"" for those that ask nothing.

        Empty for a row that nobody asks any more.
        """
        before = self._stored.asked(asked)
        old = {path: set(asked_rows(before[path])) if before.get(path) else set() for path in asked}
        new = {path: set(asked_rows(packed)) if packed else set() for path, packed in asked.items()}
        added = _by_entry({path: new[path] - old[path] for path in asked})
        removed = _by_entry({path: old[path] - new[path] for path in asked})
        rows = sorted(added.keys() | removed.keys())
        return _merged(rows, self._stored.askers(rows), added, removed)

    def _changed_names(self) -> dict[str, list[str]]:
        old = {path: set(index_keys(facts)) for path, facts in self.old.items()}
        new = {path: set(index_keys(facts)) for path, facts in self.changed.items() if facts is not None}
        none: set[str] = set()
        added = _by_entry({path: keys - old.get(path, none) for path, keys in new.items()})
        removed = _by_entry({path: keys - new.get(path, none) for path, keys in old.items()})
        names = sorted(added.keys() | removed.keys())
        return _merged(names, self._stored.names(names), added, removed)


def _by_entry[T](entries: Mapping[str, Iterable[T]]) -> dict[T, set[str]]:
    """Entry -> the paths that have it."""
    found: dict[T, set[str]] = {}
    for path, own in entries.items():
        for entry in own:
            found.setdefault(entry, set()).add(path)
    return found


def _merged[T](
    entries: list[T], stored: list[list[str]], added: dict[T, set[str]], removed: dict[T, set[str]]
) -> dict[T, list[str]]:
    """Entry -> its paths after the change, sorted."""
    none: set[str] = set()
    return {
        entry: sorted((set(paths) | added.get(entry, none)) - removed.get(entry, none))
        for entry, paths in zip(entries, stored, strict=True)
    }


def all_ids(facts: FileFacts) -> list[str]:
    """The ids of a file's symbols in the order of their slots: its module's, then those of the definitions."""
    return [module_id(facts.path), *symbol_ids(facts.path, facts.definitions)]
