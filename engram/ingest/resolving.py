"""Resolve all files of a first index on all cores, straight into the blobs that load their edges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engram.extract.facts import FileFacts
from engram.extract.resolve import FileEdges, Resolver
from engram.ingest.loading import Blob, Nodes
from engram.ingest.pool import FINISHED, run_forked
from engram.store.bulk import pack_edges
from engram.store.files import encode_path
from engram.store.schema import CALL_PROPERTIES, CALLS, IMPORTS, INHERITS

# Neighbours share most of what is learned on the way, so parts are large; yet not all cost the same.
_PARTS_PER_WORKER = 8


class Resolved(NamedTuple):
    """A part of the files: the blobs of their edges, and for each path what `FileEdges.asked` holds."""

    blobs: list[Blob]
    asked: dict[bytes, bytes]


def parts_of(facts: dict[str, FileFacts], workers: int) -> list[list[str]]:
    """The paths of all files in parts, neighbours together."""
    paths = sorted(facts)
    size = max(1, -(-len(paths) // (workers * _PARTS_PER_WORKER)))
    return [paths[start : start + size] for start in range(0, len(paths), size)]


def resolve_forked(
    parts: list[list[str]], facts: dict[str, FileFacts], names: dict[str, list[str]], nodes: Nodes, workers: int
) -> Iterator[tuple[list[str], Resolved | None]]:
    """Each part with the edges of its files between the numbered nodes, in no order; None where its worker died."""
    resolver = Resolver(facts.get, lambda key: names.get(key, ()))

    def work(number: int) -> tuple[object, ...]:
        edges = {path: resolver.resolve_file(path) for path in parts[number]}
        return tuple(Resolved(_pack(edges, nodes), {encode_path(path): found.asked for path, found in edges.items()}))

    for number, result in run_forked(len(parts), min(workers, len(parts)), work, lambda _: None):
        if number != FINISHED:
            yield parts[number], Resolved(*result) if result is not None else None


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
