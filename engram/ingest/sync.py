"""Bring the index of a checkout up to date: build it, update it, or see that nothing has changed."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from engram import __version__
from engram.config import Config
from engram.errors import IndexBusy
from engram.extract.facts import FACTS_VERSION
from engram.extract.words import MAX_NUMBER
from engram.ingest.build import build_aside
from engram.ingest.discover import Fingerprint, Found, find_files
from engram.ingest.extraction import record_of
from engram.ingest.history_graph import carry_history
from engram.ingest.report import IndexReport, Progress
from engram.ingest.source import read_source
from engram.ingest.stored import Stored
from engram.ingest.update import reread_files, update_commands
from engram.store import lexical
from engram.store.code import count_code, count_issues
from engram.store.files import (
    LEXICAL,
    NUMBERS,
    RECORDS,
    SIDES,
    Command,
    FileRecord,
    encode_path,
    is_settled_as,
    pack_record,
    read_records,
    set_command,
    unpack_record,
)
from engram.store.generation import raise_command
from engram.store.graph import Graph, transaction
from engram.store.history import SHOWN, SHOWN_AT
from engram.store.lock import IndexLock, acquire_lock
from engram.store.progress import finished_command
from engram.store.schema import SCHEMA_VERSION, Keys
from engram.store.state import IndexState, read_state, state_commands
from engram.store.swap import swap_in
from engram.store.wire import Connection
from engram.terms import WORDS_VERSION
from engram.worktree import Worktree

# The release is part of it: a mended extractor gives other facts for the same file, and a build takes seconds.
INDEX_VERSION = f"{__version__}/{SCHEMA_VERSION}.{FACTS_VERSION}.{WORDS_VERSION}"

_REBUILD_SHARE = 0.2  # of files changed: a build takes 2 ms a file, an update 10
_REBUILD_LEAST = 50  # below this many an update is faster whatever their share
_MAX_DEAD_SHARE = 0.25  # of files replaced in the lexical index, whose postings lie idle until a build
_LOOK_LASTS_S = 1.0  # what changes after a look is the next run's, as what changes during one
_LOCK_WAIT_S = 120.0  # a first index of 12,000 files takes 30 s; who has waited longer than this is told


class Pending(NamedTuple):
    """What has to be done.

    `records` are those of the files looked at as stored, packed.  `changed` are the files to read again, `same` those
    that only look changed (with the record to store for them), `vanished` the ones that are not listed any more.
    """

    found: Found
    records: dict[str, bytes]
    changed: dict[str, Fingerprint]
    same: dict[str, FileRecord]
    vanished: list[str]

    @property
    def is_nothing(self) -> bool:
        """Whether the stored index is what the files are."""
        return not (self.changed or self.same or self.vanished)


class Sync:
    """One run of the indexer over one checkout, or over the files of it that `only` names.

    A `detailed` report says what was left out and why, which takes time with the size of the checkout.
    """

    def __init__(
        self,
        connection: Connection,
        config: Config,
        keys: Keys,
        worktree: Worktree,
        progress: Progress,
        *,
        only: Sequence[str] = (),
        detailed: bool = False,
    ) -> None:
        self.connection = connection
        self.config = config
        self.keys = keys
        self.worktree = worktree
        self.progress = progress
        self.only = only
        self.detailed = detailed
        self.graph = Graph(connection, keys.graph)
        self.began = time.monotonic()

    def run(self, *, rebuild: bool = False) -> IndexReport:
        """Do what is to be done; nothing is written where nothing has changed.

        Raises IndexBusy if another process holds the index for longer than this one waits.
        """
        pending = self._pending(rebuild)
        if pending is not None and pending.is_nothing:
            return self._report("fresh", pending.found, 0, 0)
        looked = time.monotonic()
        with acquire_lock(self.connection, self.config, self.keys, wait_s=_LOCK_WAIT_S) as lock:
            found = pending.found if pending and time.monotonic() - looked < _LOOK_LASTS_S else None
            pending = self._pending(rebuild, found)  # again: who held the lock may have done it all
            if pending is None or self._is_worth_a_build(pending):
                return self._build(lock)
            return self._update(lock, pending)

    def _pending(self, rebuild: bool, found: Found | None = None) -> Pending | None:
        """What an update has to do; None if only a build will do.  `found` are the files, if they were just listed."""
        state = read_state(self.connection, self.keys)
        if rebuild or state is None or state.version != INDEX_VERSION or not self.graph.exists():
            return None
        found = found or find_files(self.worktree, self.only)
        records = read_records(self.connection, self.keys, self.only)
        changed: dict[str, Fingerprint] = {}
        same: dict[str, FileRecord] = {}
        for path, fingerprint in found.files.items():
            packed = records.get(path)
            if packed is not None and is_settled_as(packed, *fingerprint):
                continue
            known = _same_content(self.worktree.root, path, packed) if packed is not None else None
            if known is None:
                changed[path] = fingerprint
            else:
                same[path] = known
        return Pending(found, records, changed, same, sorted(records.keys() - found.files.keys()))

    def _is_worth_a_build(self, pending: Pending) -> bool:
        known: int = self.connection.call("HLEN", self.keys.side(RECORDS))
        if len(pending.changed) + len(pending.vanished) > max(_REBUILD_LEAST, _REBUILD_SHARE * known):
            return True
        if self._last_number() + len(pending.changed) >= MAX_NUMBER:
            return True
        _, dead = lexical.delta_size(self.connection, self.keys.side(LEXICAL))
        return dead > max(_REBUILD_LEAST, _MAX_DEAD_SHARE * known)

    def _build(self, lock: IndexLock) -> IndexReport:
        found = find_files(self.worktree)
        first = self._last_number() + 1
        if first + len(found.files) >= MAX_NUMBER:  # the swap drops all documents that have older numbers
            first = 1
        state = self._state_now()
        segments = build_aside(self.connection, self.config, self.keys, self.worktree.root, found, first, self.progress)
        lock.renew()
        carry_history(self.connection, self.keys, int(time.time()))
        extra: list[Command] = [
            *lexical.publish_commands(self.keys.side_new(LEXICAL), self.keys.side(LEXICAL), segments),
            ("SET", self.keys.side(NUMBERS), first + len(found.files)),
            *state_commands(self.keys, state),
            raise_command(self.keys),
            finished_command(self.keys),
        ]
        sides = [(self.keys.side_new(side), self.keys.side(side)) for side in (*SIDES, SHOWN, SHOWN_AT)]
        swap_in(self.connection, self.keys, sides, extra, watch=[lock.watch])
        return self._report("built", found, len(found.files), 0)

    def _update(self, lock: IndexLock, pending: Pending) -> IndexReport:
        state = self._state_now()
        first = self._last_number() + 1
        stored = Stored(self.connection, self.keys)
        foreseen = list(pending.changed)
        reread = reread_files(self.worktree.root, pending.changed, first, lambda: stored.foresee(foreseen))
        commands = [
            *update_commands(self.connection, self.keys, stored, pending.records, reread, pending.vanished),
            *set_command(self.keys.side(RECORDS), {encode_path(p): pack_record(r) for p, r in pending.same.items()}),
            ("SET", self.keys.side(NUMBERS), first + len(pending.changed)),
            *([] if self.only else state_commands(self.keys, state)),
            *([raise_command(self.keys)] if pending.changed or pending.vanished else []),
        ]
        lock.renew()
        if transaction(self.connection, commands, watch=[lock.watch]) is None:
            raise IndexBusy("another process took over the index; what this one found is dropped")
        mode = "updated" if pending.changed or pending.vanished else "fresh"
        return self._report(mode, pending.found, len(pending.changed), len(pending.vanished))

    def _state_now(self) -> IndexState:
        return IndexState(INDEX_VERSION, int(time.time() * 1000), self.worktree.root)

    def _last_number(self) -> int:
        return int(self.connection.call("GET", self.keys.side(NUMBERS)) or 0)

    def _report(self, mode: str, found: Found, changed: int, removed: int) -> IndexReport:
        files, symbols, calls = count_code(self.graph)
        state = read_state(self.connection, self.keys)
        return IndexReport(
            mode=mode,
            files=files,
            changed=changed,
            removed=removed,
            symbols=symbols,
            calls=calls,
            skipped=self._skipped(found) if self.detailed else {},
            issues=count_issues(self.graph) if self.detailed else {},
            seconds=round(time.monotonic() - self.began, 3),
            indexed_at=state.indexed_at / 1000 if state else 0.0,
        )

    def _skipped(self, found: Found) -> dict[str, int]:
        skipped = Counter(found.skipped)
        records = read_records(self.connection, self.keys)
        reasons = (unpack_record(packed).skipped for path, packed in records.items() if path in found.files)
        skipped.update(reason for reason in reasons if reason)
        return dict(sorted(skipped.items()))


def _same_content(root: str, path: str, packed: bytes) -> FileRecord | None:
    """The record as it is to be stored, if the file holds what was indexed; else None."""
    record = unpack_record(packed)
    now_ns = time.time_ns()
    source = read_source(root, path)
    if source is None or source.sha256 != record.sha256:
        return None
    return record_of(source.fingerprint, record.number, now_ns, record.sha256, record.skipped)
