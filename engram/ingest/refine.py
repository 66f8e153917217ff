"""The deeper pass over the calls of a whole checkout, after an index and apart from it: slow, quiet, and dispensable.

The first index resolves what is cheap.  This pass follows what calls pass for parameters, with tests as evidence
(`extract.flow`), and replaces the call edges of the files where that tells more.
"""

from __future__ import annotations

from collections.abc import Iterator

from engram.config import Config
from engram.extract.facts import FileFacts, load_facts
from engram.extract.flow import call_arguments, refine
from engram.extract.languages import language_of
from engram.extract.resolve import CallEdge
from engram.ingest.build import worker_count
from engram.ingest.discover import Fingerprint
from engram.ingest.extraction import chunks_of
from engram.ingest.overlay import IdsOfFiles
from engram.ingest.pool import FINISHED, run_forked
from engram.ingest.source import read_source
from engram.store.callgraph import CallKey, find_call_keys
from engram.store.files import FACTS, FileRecord, decode_path, read_records, unpack_record
from engram.store.generation import Generation
from engram.store.graph import Graph, transaction
from engram.store.lock import acquire_lock
from engram.store.schema import Keys
from engram.store.update import replace_calls
from engram.store.wire import Connection

MAX_FACTS_BYTES = 45_000_000  # of a million lines: the pass takes 1 GB there (0.65 GB and 95 s at 27 MB)
_FILES_AT_ONCE = 100  # whose edges one transaction replaces, so that no reader waits for longer than 0.1 s
_LOCK_WAIT_S = 600.0  # nobody waits for this pass


def refine_calls(connection: Connection, config: Config, keys: Keys, root: str) -> int | None:
    """Replace the call edges of the files where argument flow tells more; returns how many files these are.

    None if nothing was done: the index has been refined before, is too large, or was changed meanwhile.
    """
    generation = Generation.read(connection, keys)
    size = connection.call("MEMORY", "USAGE", keys.side(FACTS)) or 0
    if generation.is_refined or not 0 < size <= MAX_FACTS_BYTES:
        return None
    facts = _all_facts(connection, keys)
    records = {path: unpack_record(packed) for path, packed in read_records(connection, keys).items()}
    arguments = _read_arguments(config, root, {path: records[path] for path in facts if path in records})
    wanted = _edges_by_path(facts, refine(facts.values(), arguments))
    present = find_call_keys(Graph(connection, keys.graph))
    changed = [path for path in sorted(facts) if set(wanted[path]) != present.get(path, set())]
    with acquire_lock(connection, config, keys, wait_s=_LOCK_WAIT_S) as lock:
        watch = [lock.watch, generation.watch(keys)]
        graph = Graph(connection, keys.graph)
        for start in range(0, len(changed), _FILES_AT_ONCE):
            part = changed[start : start + _FILES_AT_ONCE]
            commands = replace_calls(graph, part, [edge for path in part for edge in wanted[path]])
            if transaction(connection, commands, watch=watch) is None:
                return None
            lock.renew()
        if transaction(connection, [generation.refined_command(keys)], watch=watch) is None:
            return None
    return len(changed)


def _all_facts(connection: Connection, keys: Keys) -> dict[str, FileFacts]:
    flat = connection.call("HGETALL", keys.side(FACTS))
    loaded = {decode_path(flat[i]): load_facts(flat[i + 1]) for i in range(0, len(flat), 2)}
    return {path: facts for path, facts in sorted(loaded.items()) if facts is not None}


def _read_arguments(config: Config, root: str, records: dict[str, FileRecord]) -> dict[str, list[str]]:
    """The arguments of all calls, by path; files that are not what was indexed have none."""
    files = {path: Fingerprint(r.size, r.mtime_ns, r.ctime_ns, r.inode) for path, r in records.items()}
    chunks = chunks_of(files, set())

    def work(number: int) -> list[tuple[str, list[str]]]:
        return list(_arguments_of(root, {path: records[path].sha256 for path in chunks[number]}))

    found: dict[str, list[str]] = {}
    for number, result in run_forked(len(chunks), worker_count(config), work, lambda _: None):
        if number != FINISHED:
            found.update(result or ())
    return found


def _arguments_of(root: str, known: dict[str, str]) -> Iterator[tuple[str, list[str]]]:
    for path, sha256 in known.items():
        source = read_source(root, path)
        language = language_of(path)
        if source is not None and language is not None and source.sha256 == sha256:
            yield path, call_arguments(source.content, language)


def _edges_by_path(facts: dict[str, FileFacts], edges: dict[str, list[CallEdge]]) -> dict[str, list[CallKey]]:
    ids = IdsOfFiles(facts.get)
    return {
        path: [
            CallKey(
                ids.symbol(path, call.caller), ids.symbol(call.path, call.callee), call.line, float(call.confidence)
            )
            for call in edges.get(path, ())
        ]
        for path in facts
    }
