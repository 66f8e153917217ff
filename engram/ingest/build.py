"""The whole index at once: built aside under keys of its own, then swapped in, so that no reader sees half of it."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple

from engram.config import Config
from engram.errors import StoreError
from engram.extract.resolve import index_keys
from engram.ingest.discover import Fingerprint, Found
from engram.ingest.extraction import Extractor, chunks_of, crashed_record
from engram.ingest.loading import Loader, Nodes, Step, clear_aside, index_commands, load_edges, load_nodes, pack_defines
from engram.ingest.pool import FINISHED, run_forked
from engram.ingest.report import Progress
from engram.ingest.resolving import parts_of, resolve_forked
from engram.ingest.rows import Cell, file_row, symbol_rows
from engram.store import lexical
from engram.store.bulk import pack_nodes
from engram.store.files import (
    ASKED,
    ASKERS,
    FACTS,
    LEXICAL,
    NAMES,
    RECORDS,
    Command,
    encode_path,
    pack_paths,
    pack_record,
    set_command,
)
from engram.store.graph import Graph
from engram.store.progress import IndexProgress, tell_progress
from engram.store.schema import FILE, FILE_PROPERTIES, SYMBOL, SYMBOL_PROPERTIES, Keys
from engram.store.server import open_connection
from engram.store.update import mark_unresolved
from engram.store.wire import Connection

_BULK_NODES = 3000  # sent while the workers still parse: a third of the load is over when they end
_TELL_S = 0.2  # between two words to whoever waits for the index
_MAX_WORKERS = 8  # parsing beyond this waits for the one process that collects


class Packed(NamedTuple):
    """One chunk as a worker hands it over: of files path, facts, record, index keys and count of symbols; then blobs.

    `left_out` are files that are not indexed, with path and record.
    """

    files: list[tuple[str, bytes, bytes, list[str], int]]
    left_out: list[tuple[str, bytes]]
    file_blob: bytes
    symbol_count: int
    symbol_blob: bytes


class _Crash(Exception):
    """Some chunks were lost with their workers; nothing built in this try can be used."""

    def __init__(self, chunks: list[list[str]]) -> None:
        self.chunks = chunks


def worker_count(config: Config) -> int:
    """How many processes parse: the setting, else one for each core that this process may use, at most 8."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return config.workers or min(cores, _MAX_WORKERS)


def build_aside(
    connection: Connection, config: Config, keys: Keys, root: str, found: Found, first: int, progress: Progress
) -> int:
    """Build graph, facts and lexical index of the files under the keys for what is new; nobody reads these yet.

    Returns how many segments the lexical index has.  Files get the numbers from `first` on.  A file that crashes the
    parser is left out: the chunk it was in is built again file by file, and so is everything else, because a dead
    worker takes its part of the lexical index along.
    """
    alone: set[str] = set()
    crashed: set[str] = set()
    while True:
        files = {path: fingerprint for path, fingerprint in found.files.items() if path not in crashed}
        try:
            segments = _Build(connection, config, keys, root, files, alone, first).run(progress)
        except _Crash as crash:
            crashed.update(chunk[0] for chunk in crash.chunks if len(chunk) == 1)
            alone.update(path for chunk in crash.chunks if len(chunk) > 1 for path in chunk)
            continue
        records = {path: crashed_record(root, path, found.files[path]) for path in crashed}
        _run_all(
            connection,
            set_command(keys.side_new(RECORDS), {encode_path(p): pack_record(r) for p, r in records.items()}),
        )
        return segments


class _Build:
    """One try: `run` takes the steps in order."""

    def __init__(
        self,
        connection: Connection,
        config: Config,
        keys: Keys,
        root: str,
        files: dict[str, Fingerprint],
        alone: set[str],
        first: int,
    ) -> None:
        self.connection = connection
        self.config = config
        self.keys = keys
        self.total = len(files)
        self.sizes = {path: fingerprint.size for path, fingerprint in files.items()}
        self.bytes = sum(self.sizes.values())
        self.chunks = chunks_of(files, alone)
        self.workers = max(1, min(worker_count(config), len(self.chunks)))
        order = [path for chunk in self.chunks for path in chunk]
        self.extractor = Extractor(root, {path: first + i for i, path in enumerate(order)})
        self.facts: dict[str, bytes] = {}  # packed: unpacked ones take six times the memory
        self.names: dict[str, list[str]] = {}
        self.askers: dict[bytes, list[bytes]] = {}
        self.nodes = Nodes()
        self.started_at = self.told_at = time.time()

    def run(self, progress: Progress) -> int:
        clear_aside(self.connection, self.keys)
        begun = IndexProgress(0, self.bytes, self.started_at, self.started_at)
        tell_progress(self.connection, keys=self.keys, progress=begun)
        with _no_collector():
            with Loader(self.connection) as loader:
                segments, last_nodes = self._extract(loader, progress)
            self._resolve(last_nodes)
        return segments

    def _extract(self, loader: Loader, progress: Progress) -> tuple[int, Step]:
        """Have the files read; returns how many segments of words there are, and the step that loads the last nodes."""
        lost, segments, done = [], 0, 0
        blobs: list[tuple[int, bytes]] = []
        begin = True
        told = 0
        for number, packed in run_forked(len(self.chunks), self.workers, self._pack, self._push_words):
            if number == FINISHED:
                segments += 1
                continue
            if packed is None:
                lost.append(self.chunks[number])
                continue
            blobs += self._take(Packed(*packed), loader)
            if sum(count for count, _ in blobs) >= _BULK_NODES:
                loader.put(partial(load_nodes, keys=self.keys, begin=begin, blobs=blobs))
                blobs, begin = [], False
            done += len(self.chunks[number])
            progress(done, self.total)
            told += sum(self.sizes[path] for path in self.chunks[number])
            self._tell(loader, told)
        if lost:
            raise _Crash(lost)
        return segments, partial(load_nodes, keys=self.keys, begin=begin, blobs=blobs)

    def _tell(self, loader: Loader, done: int) -> None:
        """Let a hook that might wait for the index know how many bytes are read; now and then is enough."""
        now = time.time()
        if now - self.told_at >= _TELL_S or done == self.bytes:
            self.told_at = now
            progress = IndexProgress(done, self.bytes, self.started_at, now)
            loader.put(partial(tell_progress, keys=self.keys, progress=progress))

    def _resolve(self, last_nodes: Step) -> None:
        """Load all edges, and what tells later updates whom they concern.

        The engine makes its indexes meanwhile: the loader's thread starts with the first part, when all workers are
        forked, and only its edges are left when the last part comes.
        """
        for paths in self.names.values():
            paths.sort()
        first: list[Step] = [last_nodes, self._make_indexes, self._load_defines, self._load_names]
        dead, lost = self._resolve_parts(parts_of(self.facts, self.workers), first)
        dead, more = self._resolve_parts([[path] for path in dead], [])  # a worker's death costs the edges of one file
        _run_all(self.connection, mark_unresolved(Graph(self.connection, self.keys.new), [*lost, *dead, *more]))
        askers = {row: b"\0".join(sorted(paths)) for row, paths in self.askers.items()}
        _run_all(self.connection, set_command(self.keys.side_new(ASKERS), askers))

    def _resolve_parts(self, parts: list[list[str]], first: list[Step]) -> tuple[list[str], list[str]]:
        """Take the steps in `first` and load the edges of the parts.

        Returns the files of those whose worker died, and the files of which the resolver failed.
        """
        dead: list[str] = []
        lost: list[str] = []
        with Loader(self.connection) as loader:
            for part, resolved in resolve_forked(parts, self.facts, self.names, self.nodes, self.workers):
                while first:
                    loader.put(first.pop(0))
                if resolved is None:
                    dead += part
                    continue
                lost += resolved.lost
                loader.put(partial(load_edges, keys=self.keys, blobs=resolved.blobs))
                loader.put(partial(_run_all, commands=set_command(self.keys.side_new(ASKED), resolved.asked)))
                paths = list(resolved.asked)
                for row, positions in resolved.askers.items():
                    self.askers.setdefault(row, []).extend([paths[position] for position in positions])
            for step in first:  # there are no files
                loader.put(step)
        return dead, lost

    def _make_indexes(self, connection: Connection) -> None:
        _run_all(connection, index_commands(connection, self.keys))

    def _load_defines(self, connection: Connection) -> None:
        load_edges(connection, keys=self.keys, blobs=pack_defines(self.nodes))

    def _load_names(self, connection: Connection) -> None:
        packed = {encode_path(name): pack_paths(paths) for name, paths in self.names.items()}
        _run_all(connection, set_command(self.keys.side_new(NAMES), packed))

    def _pack(self, number: int) -> tuple[object, ...]:
        """In a worker: one chunk of files, parsed and packed, as the fields of `Packed`."""
        files, left_out = [], []
        file_rows: list[list[Cell]] = []
        symbols: list[list[Cell]] = []
        for path in self.chunks[number]:
            done = self.extractor.extract(path)
            if done is None:
                continue
            if done.facts is None:
                left_out.append((path, pack_record(done.record)))
                continue
            rows = symbol_rows(done.record.number, done.facts)
            symbols += rows
            file_rows.append(file_row(done.facts, done.record))
            files.append((path, done.facts.dump(), pack_record(done.record), index_keys(done.facts), len(rows)))
        file_blob = pack_nodes(FILE, FILE_PROPERTIES, file_rows)
        return files, left_out, file_blob, len(symbols), pack_nodes(SYMBOL, SYMBOL_PROPERTIES, symbols)

    def _push_words(self, worker: int) -> int:
        """In a worker, at its end: its segment of the lexical index, over a connection of its own."""
        with open_connection(self.config, start=False) as connection:
            key = lexical.segment_key(self.keys.side_new(LEXICAL), worker)
            _run_all(connection, lexical.segment_commands(key, self.extractor.words.dump()))
        return worker

    def _take(self, packed: Packed, loader: Loader) -> list[tuple[int, bytes]]:
        """Note what a chunk brought, send its facts and records on; its node blobs are to be loaded in this order."""
        self.nodes.add([(path, count) for path, _, _, _, count in packed.files])
        facts, records = {}, {encode_path(path): record for path, record in packed.left_out}
        for path, dumped, record, keys, _ in packed.files:
            self.facts[path] = facts[encode_path(path)] = dumped
            for key in keys:
                self.names.setdefault(key, []).append(path)
            records[encode_path(path)] = record
        sides = ((FACTS, facts), (RECORDS, records))
        commands = [command for side, values in sides for command in set_command(self.keys.side_new(side), values)]
        loader.put(partial(_run_all, commands=commands))
        if not packed.files:
            return []
        return [(len(packed.files), packed.file_blob), (packed.symbol_count, packed.symbol_blob)]


@contextmanager
def _no_collector() -> Iterator[None]:
    """Facts are acyclic and kept: to search 1,200 files of them for garbage took a third of this process's CPU time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _run_all(connection: Connection, commands: list[Command]) -> None:
    for reply in connection.pipeline(commands):
        if isinstance(reply, StoreError):
            raise reply
