"""What the index holds beside the graph, as it was before an update: read when asked for, and kept."""

from __future__ import annotations

from collections.abc import Iterable

from engram.extract.facts import FileFacts, load_facts
from engram.extract.resolve import asked_rows
from engram.extract.resolve.surface import INDEX_ROW
from engram.extract.resolve.views import FileView
from engram.store.files import ASKED, ASKERS, FACTS, NAMES, decode_path, encode_path, unpack_paths
from engram.store.schema import Keys
from engram.store.wire import Connection

_FORESEEN_FILES = 30  # a file asks of 5 others in the median, and 95 of 100 files of fewer than this
_FORESEEN_NAMES = 300


class Stored:
    """The hashes of one checkout's index; the caller holds the index lock."""

    def __init__(self, connection: Connection, keys: Keys) -> None:
        self._connection = connection
        self._keys = keys
        self._facts: dict[str, FileFacts | None] = {}
        self.views: dict[str, FileView] = {}  # the files that `foresee` has arranged
        self._fields: dict[str, dict[bytes, bytes | None]] = {side: {} for side in (NAMES, ASKED, ASKERS)}

    def facts(self, paths: Iterable[str]) -> list[FileFacts | None]:
        """The facts of each path; None for a file that is not indexed."""
        wanted = list(paths)
        missing = [path for path in wanted if path not in self._facts]
        packed = self._read(FACTS, [encode_path(path) for path in missing])
        self._facts |= {path: load_facts(raw) if raw else None for path, raw in zip(missing, packed, strict=True)}
        return [self._facts[path] for path in wanted]

    def names(self, names: Iterable[str]) -> list[list[str]]:
        """The paths of the files that have each name among their index keys, sorted."""
        return [unpack_paths(raw) for raw in self._kept(NAMES, [encode_path(name) for name in names])]

    def asked(self, paths: Iterable[str]) -> dict[str, bytes]:
        """What each file asked, packed (`FileEdges.asked`); without those of which nothing is stored."""
        wanted = list(paths)
        found = self._kept(ASKED, [encode_path(path) for path in wanted])
        return {path: raw for path, raw in zip(wanted, found, strict=True) if raw is not None}

    def askers(self, rows: Iterable[bytes]) -> list[list[str]]:
        """The files that asked something of each row (`asked_rows`), sorted."""
        return [unpack_paths(raw) for raw in self._kept(ASKERS, list(rows))]

    def foresee(self, paths: list[str]) -> None:
        """Read, and arrange, what an update of the files is likely to ask for: what it asked for the last time."""
        self.facts(paths)
        rows = {row for packed in self.asked(paths).values() for row in asked_rows(packed)}
        names = [row[len(INDEX_ROW) :] for row in rows if row.startswith(INDEX_ROW)]
        self._kept(NAMES, names[:_FORESEEN_NAMES])
        others = [decode_path(row) for row in rows if not row.startswith(INDEX_ROW)]
        for path, facts in zip(others, self.facts(others[:_FORESEEN_FILES]), strict=False):
            if facts is not None:
                self.views[path] = FileView(facts)
                self.views[path].inner_names  # noqa: B018 - the slow part: found once, and kept

    def _kept(self, side: str, fields: list[bytes]) -> list[bytes | None]:
        kept = self._fields[side]
        missing = [field for field in fields if field not in kept]
        kept.update(zip(missing, self._read(side, missing), strict=True))
        return [kept[field] for field in fields]

    def _read(self, side: str, fields: list[bytes]) -> list[bytes | None]:
        found: list[bytes | None] = self._connection.call("HMGET", self._keys.side(side), *fields) if fields else []
        return found
