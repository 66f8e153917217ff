"""The facts and names of a checkout as they will be after an update: what is new, over what is stored."""

from __future__ import annotations

from collections.abc import Callable

from engram.extract.facts import MODULE, FileFacts, load_facts
from engram.extract.resolve import index_keys
from engram.ingest.rows import module_id, symbol_ids
from engram.store.files import FACTS, NAMES, encode_path, unpack_paths
from engram.store.schema import Keys
from engram.store.wire import Connection


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
    """Facts by path and paths by name, loaded when asked for; `changed` maps paths to new facts, None for gone files.

    `old` holds what was stored of the changed files; `names` the entries of names that the change adds to or takes
    from: name -> paths, sorted, empty where none is left.
    """

    def __init__(self, connection: Connection, keys: Keys, changed: dict[str, FileFacts | None]) -> None:
        self._connection = connection
        self._keys = keys
        self.changed = changed
        self.old = self._stored_facts(list(changed))
        self.names = self._changed_names()
        self._loaded: dict[str, FileFacts | None] = dict(changed)
        self._paths = dict(self.names)
        self.symbol_id = IdsOfFiles(self.load).symbol

    def load(self, path: str) -> FileFacts | None:
        """The facts of a file; None if it is not indexed."""
        if path not in self._loaded:
            self._loaded[path] = self._stored_facts([path]).get(path)
        return self._loaded[path]

    def paths_of(self, name: str) -> list[str]:
        """The files that have `name` among their index keys."""
        if name not in self._paths:
            self._paths[name] = self._stored_paths([name])[0]
        return self._paths[name]

    def _stored_facts(self, paths: list[str]) -> dict[str, FileFacts]:
        if not paths:
            return {}
        packed = self._connection.call("HMGET", self._keys.side(FACTS), *[encode_path(path) for path in paths])
        loaded = {path: load_facts(raw) for path, raw in zip(paths, packed, strict=True) if raw}
        return {path: facts for path, facts in loaded.items() if facts is not None}

    def _stored_paths(self, names: list[str]) -> list[list[str]]:
        if not names:
            return []
        packed = self._connection.call("HMGET", self._keys.side(NAMES), *[encode_path(name) for name in names])
        return [unpack_paths(raw) for raw in packed]

    def _changed_names(self) -> dict[str, list[str]]:
        added: dict[str, set[str]] = {}
        removed: dict[str, set[str]] = {}
        for path, new in self.changed.items():
            before = set(index_keys(self.old[path])) if path in self.old else set()
            after = set(index_keys(new)) if new is not None else set()
            for name in after - before:
                added.setdefault(name, set()).add(path)
            for name in before - after:
                removed.setdefault(name, set()).add(path)
        names = sorted(added.keys() | removed.keys())
        none: set[str] = set()
        return {
            name: sorted((set(paths) | added.get(name, none)) - removed.get(name, none))
            for name, paths in zip(names, self._stored_paths(names), strict=True)
        }


def all_ids(facts: FileFacts) -> list[str]:
    """The ids of a file's symbols in the order of their slots: its module's, then those of the definitions."""
    return [module_id(facts.path), *symbol_ids(facts.path, facts.definitions)]
