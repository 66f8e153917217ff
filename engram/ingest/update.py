"""Changes only what has changed: the edited files, and the files whose edges the edits may have turned.

The result is what a whole build would give; a property test holds the two against each other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from engram.extract.facts import FileFacts, load_facts
from engram.extract.resolve import FileEdges, Resolver, affected_files, surface_changes
from engram.ingest.discover import Fingerprint
from engram.ingest.extraction import Extractor, crashed_record
from engram.ingest.overlay import Overlay, all_ids
from engram.ingest.pool import FINISHED, run_forked
from engram.ingest.resolving import resolve_files
from engram.ingest.rows import file_row, symbol_rows
from engram.ingest.stored import Stored
from engram.store import lexical
from engram.store.files import (
    ASKED,
    ASKERS,
    FACTS,
    LEXICAL,
    NAMES,
    RECORDS,
    Command,
    FileRecord,
    delete_command,
    encode_path,
    pack_paths,
    pack_record,
    set_command,
    unpack_record,
)
from engram.store.gone import keep_commands, return_commands
from engram.store.graph import Graph
from engram.store.history import stale_commands
from engram.store.schema import Keys
from engram.store.update import CodeChange, change_commands, mark_unresolved
from engram.store.wire import Connection


class Parsed(NamedTuple):
    """A file with its facts and its record."""

    facts: FileFacts
    record: FileRecord


class Reread(NamedTuple):
    """What reading the changed files gave: facts, records of files that are left out, words; `vanished` meanwhile."""

    extracted: dict[str, Parsed]
    left_out: dict[str, FileRecord]
    vanished: list[str]
    words: dict[bytes, bytes]

    def records(self) -> dict[str, FileRecord]:
        """The new record of every file that could be read."""
        return self.left_out | {path: parsed.record for path, parsed in self.extracted.items()}


def reread_files(root: str, sources: dict[str, Fingerprint], first: int, meanwhile: Callable[[], object]) -> Reread:
    """Extract the files, which get the numbers from `first` on, in a process whose crash costs only the one file.

    `meanwhile` is called while that process reads.
    """
    numbers = {path: first + i for i, path in enumerate(sources)}
    crashed: dict[str, FileRecord] = {}
    while True:
        reread, lost = _reread_once(root, [path for path in sources if path not in crashed], numbers, meanwhile)
        if not lost:
            return reread._replace(left_out=reread.left_out | crashed)
        # and again, because the words of the files before went down with the worker
        crashed |= {path: crashed_record(root, path, sources[path]) for path in lost}


def _reread_once(
    root: str, paths: list[str], numbers: dict[str, int], meanwhile: Callable[[], object]
) -> tuple[Reread, list[str]]:
    extractor = Extractor(root, numbers)
    reread, lost = Reread({}, {}, [], {}), []

    def work(number: int) -> object:
        done = extractor.extract(paths[number])
        return (done.facts.dump() if done.facts else b"", tuple(done.record)) if done else ()

    for number, result in run_forked(len(paths), 1, work, lambda _: extractor.words.dump(), meanwhile):
        if number == FINISHED:
            reread = reread._replace(words=result)
        elif result is None:
            lost.append(paths[number])
        elif not result:
            reread.vanished.append(paths[number])
        elif facts := load_facts(result[0]) if result[0] else None:
            reread.extracted[paths[number]] = Parsed(facts, FileRecord(*result[1]))
        else:
            reread.left_out[paths[number]] = FileRecord(*result[1])
    return reread, lost


def update_commands(
    connection: Connection, keys: Keys, stored: Stored, records: dict[str, bytes], reread: Reread, vanished: list[str]
) -> list[Command]:
    """All writes of one incremental run, for one MULTI; `stored` and `records` (packed) are those before it.

    `vanished` are files that are not listed any more.  The caller holds the index lock, from before the files were
    read until the commands have run.
    """
    absent = [path for path in [*vanished, *reread.vanished] if path in records]
    numbers = {path: unpack_record(records[path]).number for path in [*absent, *reread.records()] if path in records}
    gone = [path for path in [*absent, *reread.left_out] if numbers.get(path)]
    changed: dict[str, FileFacts | None] = {path: done.facts for path, done in reread.extracted.items()}
    overlay = Overlay(stored, changed | dict.fromkeys(gone))
    views = {path: view for path, view in stored.views.items() if path not in overlay.changed}
    resolver = Resolver(overlay.load, overlay.paths_of, views=views)
    edges, lost = resolve_files(resolver, _to_redo(overlay))
    replaced = [number for number in numbers.values() if number]
    graph = Graph(connection, keys.graph)
    change = _code_change(overlay, reread, gone, edges, lost)
    new = [path for path in reread.extracted if not numbers.get(path)]
    return [
        *_with_activity(connection, keys, graph, change, new),
        *(stale_commands(keys, gone) if gone or new else []),
        *mark_unresolved(graph, lost),
        *_side_commands(keys, overlay, reread, edges, lost),
        *delete_command(keys.side(RECORDS), [encode_path(path) for path in absent]),
        *lexical.update_commands(connection, keys.side(LEXICAL), reread.words, replaced),
    ]


def _with_activity(
    connection: Connection, keys: Keys, graph: Graph, change: CodeChange, new: list[str]
) -> list[Command]:
    """The change of the code; where there is activity, its edges to what goes are kept, and those to what returns."""
    if not connection.call("EXISTS", keys.activity):
        return change_commands(graph, change)
    return [
        *keep_commands(graph, change.gone_files, change.gone_symbols),
        *change_commands(graph, change),
        *return_commands(graph, new, [symbol for _, symbol in change.defines]),
    ]


def _to_redo(overlay: Overlay) -> list[str]:
    """The paths whose outgoing edges are to be found again, sorted."""
    redo = {path for path, facts in overlay.changed.items() if facts is not None}
    changes = surface_changes({path: (overlay.old.get(path), new) for path, new in overlay.changed.items()})
    if changes:
        affected = affected_files(changes, overlay.asked_of, overlay.load)
        redo.update([path for path in affected if overlay.changed.get(path, path) is not None])
    return sorted(redo)


def _code_change(
    overlay: Overlay, reread: Reread, gone: list[str], edges: dict[str, FileEdges], lost: list[str]
) -> CodeChange:
    at = overlay.symbol_id
    before = {path: all_ids(facts) for path, facts in overlay.old.items()}
    after = {path: all_ids(done.facts) for path, done in reread.extracted.items()}
    return CodeChange(
        gone_files=gone,
        gone_symbols=[i for path, ids in before.items() for i in _without(ids, after.get(path, []))],
        files=[file_row(done.facts, done.record) for done in reread.extracted.values()],
        symbols=[row for done in reread.extracted.values() for row in symbol_rows(done.record.number, done.facts)],
        defines=[(path, i) for path, ids in after.items() for i in _without(ids, before.get(path, []))],
        redone=[*edges, *lost],
        calls=[
            (at(path, call.caller), at(call.path, call.callee), call.line, float(call.confidence))
            for path, found in edges.items()
            for call in found.calls
        ],
        inherits=[
            (at(path, one.subclass), at(one.path, one.base)) for path, found in edges.items() for one in found.inherits
        ],
        imports=[(path, imported) for path, found in edges.items() for imported in found.imports],
    )


def _without(ids: list[str], others: list[str]) -> list[str]:
    known = set(others)
    return [symbol_id for symbol_id in ids if symbol_id not in known]


def _side_commands(
    keys: Keys, overlay: Overlay, reread: Reread, edges: dict[str, FileEdges], lost: list[str]
) -> list[Command]:
    silent = [*[path for path, facts in overlay.changed.items() if facts is None], *lost]
    askers = overlay.changed_askers({path: found.asked for path, found in edges.items()} | dict.fromkeys(silent, b""))
    gone = [encode_path(path) for path, facts in overlay.changed.items() if facts is None]
    put = {
        FACTS: {encode_path(path): done.facts.dump() for path, done in reread.extracted.items()},
        RECORDS: {encode_path(path): pack_record(record) for path, record in reread.records().items()},
        NAMES: {encode_path(name): pack_paths(paths) for name, paths in overlay.names.items() if paths},
        ASKED: {encode_path(path): found.asked for path, found in edges.items()},
        ASKERS: {row: pack_paths(paths) for row, paths in askers.items() if paths},
    }
    unused = [encode_path(name) for name, paths in overlay.names.items() if not paths]
    drop = {
        FACTS: gone,
        ASKED: [encode_path(path) for path in silent],
        ASKERS: [row for row, paths in askers.items() if not paths],
        NAMES: unused,
    }
    writes = [command for side, values in put.items() for command in set_command(keys.side(side), values)]
    return writes + [command for side, fields in drop.items() for command in delete_command(keys.side(side), fields)]
