"""Facts to edges: for all files of a first index on all cores, straight into the blobs that load them, or for a few."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from engram.extract.facts import FileFacts, load_facts
from engram.extract.resolve import FileEdges, Resolver, asked_rows
from engram.ingest.loading import Blob, Nodes
from engram.ingest.pool import FINISHED, run_forked
from engram.store.bulk import pack_edges
from engram.store.files import encode_path
from engram.store.schema import CALL_PROPERTIES, CALLS, IMPORTS, INHERITS

# Neighbours share most of what is learned on the way, so parts are large; yet not all cost the same.
_PARTS_PER_WORKER = 8
_PART_BYTES = 3_000_000  # of packed facts, at most: half a second, by which one worker may end before the other
# Packed facts of the files that all workers together have unpacked at a time, in seven times the memory.  A repository
# of 2.5 million lines has 110 MB of them; there, to unpack some files anew costs 10 % of the time.
_UNPACKED_BYTES = 48_000_000


class Resolved(NamedTuple):
    """A part of the files: the blobs of their edges, for each path what `FileEdges.asked` holds, and the lost ones.

    `askers` tells for each row (`asked_rows`) which of `asked`, by position, have it.
    """

    blobs: list[Blob]
    asked: dict[bytes, bytes]
    askers: dict[bytes, list[int]]
    lost: list[str]


def parts_of(facts: Mapping[str, bytes], workers: int) -> list[list[str]]:
    """The paths of all files in parts of about the same size in packed facts, neighbours together."""
    limit = min(_PART_BYTES, sum(map(len, facts.values())) // (workers * _PARTS_PER_WORKER))
    parts: list[list[str]] = []
    size = 0
    for path in sorted(facts):
        if not parts or size > limit:
            parts.append([])
            size = 0
        parts[-1].append(path)
        size += len(facts[path])
    return parts


def resolve_forked(
    parts: list[list[str]],
    facts: Mapping[str, bytes],
    names: Mapping[str, Sequence[str]],
    nodes: Nodes,
    workers: int,
) -> Iterator[tuple[list[str], Resolved | None]]:
    """Each part with the edges of its files between the numbered nodes, in no order; None where its worker died.

    `facts` are packed.
    """
    unpacked = _Unpacked(facts, _UNPACKED_BYTES // workers)
    resolver = Resolver(unpacked.load, lambda key: names.get(key, ()))

    def work(number: int) -> tuple[object, ...]:
        edges, lost = resolve_files(resolver, unpacked.bounded(resolver, parts[number]))
        asked = {encode_path(path): found.asked for path, found in edges.items()}
        askers: dict[bytes, list[int]] = {}
        for position, packed in enumerate(asked.values()):
            for row in asked_rows(packed):
                askers.setdefault(row, []).append(position)
        return tuple(Resolved(_pack(edges, nodes), asked, askers, lost))

    for number, result in run_forked(len(parts), min(workers, len(parts)), work, lambda _: None):
        if number != FINISHED:
            yield parts[number], Resolved(*result) if result is not None else None


def resolve_files(resolver: Resolver, paths: Iterable[str]) -> tuple[dict[str, FileEdges], list[str]]:
    """The edges of each file, and the files of which the resolver failed: a fault of it costs these their edges."""
    edges: dict[str, FileEdges] = {}
    lost: list[str] = []
    for path in paths:
        try:
            edges[path] = resolver.resolve_file(path)
        except Exception:  # noqa: BLE001 - whatever it is: the other files have edges, and the file says it has none
            sys.excepthook(*sys.exc_info())
            lost.append(path)
    return edges, lost


class _Unpacked:
    """Unpacks facts, and keeps count."""

    def __init__(self, facts: Mapping[str, bytes], most: int) -> None:
        self._facts, self._most = facts, most
        self._bytes = 0

    def load(self, path: str) -> FileFacts | None:
        """The facts of a file."""
        packed = self._facts.get(path)
        if packed is None:
            return None
        self._bytes += len(packed)
        return load_facts(packed)

    def bounded(self, resolver: Resolver, paths: Iterable[str]) -> Iterator[str]:
        """The paths; before one of them, the resolver that loads from here forgets its files where they are many."""
        for path in paths:
            if self._bytes > self._most:
                resolver.forget()
                self._bytes = 0
            yield path


def _pack(edges: dict[str, FileEdges], nodes: Nodes) -> list[Blob]:
    symbol, files = nodes.symbol, nodes.files
    calls: Sequence[Sequence[int | float]] = [
        (symbol(path, call.caller), symbol(call.path, call.callee), call.line, float(call.confidence))
        for path, found in edges.items()
        for call in found.calls
    ]
    inherits = [
        (symbol(path, one.subclass), symbol(one.path, one.base))
        for path, found in edges.items()
        for one in found.inherits
    ]
    imports = [(files[path], files[imported]) for path, found in edges.items() for imported in found.imports]
    kinds = ((CALLS, CALL_PROPERTIES, calls), (INHERITS, (), inherits), (IMPORTS, (), imports))
    return [(len(rows), pack_edges(kind, properties, rows)) for kind, properties, rows in kinds if rows]
