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

_PARTS_PER_WORKER = (
    4  # neighbours share most of what is learned on the way, so parts are large; yet not all cost the same
)


class Resolved(NamedTuple):
    """A part of the files: the blobs of their edges, and for each path what `FileEdges.asked` holds."""

    blobs: list[Blob]
    asked: dict[bytes, bytes]


def resolve_forked(
    facts: dict[str, FileFacts], names: dict[str, list[str]], nodes: Nodes, workers: int
) -> Iterator[Resolved]:
    """The edges of all files between the numbered nodes, in parts, in no order."""
    paths = sorted(facts)
    size = max(1, -(-len(paths) // (workers * _PARTS_PER_WORKER)))
    parts = [paths[start : start + size] for start in range(0, len(paths), size)]
    resolver = Resolver(facts.get, lambda key: names.get(key, ()))

    def work(number: int) -> tuple[object, ...]:
        edges = {path: resolver.resolve_file(path) for path in parts[number]}
        return tuple(Resolved(_pack(edges, nodes), {encode_path(path): found.asked for path, found in edges.items()}))

    for number, result in run_forked(len(parts), min(workers, len(parts)), work, lambda _: None):
        if number == FINISHED:
            continue
        if result is None:
            raise RuntimeError(f"resolving died in one of {parts[number][0]} to {parts[number][-1]}")
        yield Resolved(*result)


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
