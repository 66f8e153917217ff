"""Making the graph show the history that was read: what differs is found out, and only that is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from engram.errors import IndexBusy
from engram.history.facts import Commit, Person
from engram.history.projection import FileHistory, project
from engram.ingest.history_writing import apply_change
from engram.store.files import Command, decode_path, delete_command, encode_path, set_command
from engram.store.generation import Generation
from engram.store.graph import Graph, transaction
from engram.store.history import (
    CUT_ALL_TOGETHER,
    NO_CHANGE,
    SHOWN,
    SHOWN_AT,
    Change,
    Present,
    read_present,
    read_together,
    read_touched,
)
from engram.store.history_log import HistoryLog, LogState
from engram.store.lock import IndexLock
from engram.store.schema import Keys
from engram.store.wire import Connection

if TYPE_CHECKING:
    from engram.store.wire import Reply

_TRIES = 5  # while an indexer changes the files meanwhile
_STATE = b"/"  # among the digests, whose fields are paths from the root: none begins with a slash


class _Moved(Exception):
    """The index has changed since what is to be shown was found out."""


class Shown(NamedTuple):
    """What the graph shows: the digest of each file's history, and which state of the log (see `LogState`)."""

    digests: dict[str, bytes]
    renewed: int
    edition: int

    def commits(self, log: HistoryLog) -> set[str] | None:
        """The ids of the commits that are in the graph; None where that has to be asked."""
        state = log.state
        if self.renewed != state.renewed or self.edition not in (state.edition, state.since):
            return None
        shown = {commit.sha for commit in log.commits()}
        return shown if self.edition == state.edition else shown.difference(state.new).union(state.gone)


def show_history(connection: Connection, keys: Keys, log: HistoryLog, now: int, lock: IndexLock) -> bool:
    """Make the graph show the log; `now` in epoch seconds.

    False where the index changes all the time meanwhile: what is left to be shown is for the next run.  Raises
    NotIndexed where no graph is, IndexBusy if the lock went to another process.
    """
    for _ in range(_TRIES):
        try:
            _Showing(connection, keys, log, now, lock).run()
            return True
        except _Moved as moved:
            key, value = lock.watch
            if connection.call("GET", key) != value:
                raise IndexBusy("another process took over the reading of the history") from moved
    return False


def carry_history(connection: Connection, keys: Keys, now: int) -> None:
    """Put the history that was read into the graph that a rebuild has filled and nobody reads yet."""
    connection.call("UNLINK", keys.side_new(SHOWN), keys.side_new(SHOWN_AT))
    log = HistoryLog.load(connection, keys)
    commits = log.commits()
    if not commits:
        return
    graph = Graph(connection, keys.new)
    present = read_present(graph)
    wanted = project(commits, present.files, now)
    change = _difference(graph, commits, wanted, sorted(wanted), present)
    apply_change(graph, change, present, partial(_write_all, connection))
    digests = {path: history.digest() for path, history in wanted.items()}
    _write_all(connection, _shown_commands(keys.side_new(SHOWN), digests, log.state))
    if log.state.complete:
        connection.call("SET", keys.side_new(SHOWN_AT), log.state.head)


class _Showing:
    """One try: `run` takes the steps in order, each of them a write that checks that the index is as it was."""

    def __init__(self, connection: Connection, keys: Keys, log: HistoryLog, now: int, lock: IndexLock) -> None:
        self.connection = connection
        self.keys = keys
        self.log = log
        self.lock = lock
        self.graph = Graph(connection, keys.graph)
        self.watch = [lock.watch, Generation.read(connection, keys).watch(keys)]
        self.commits = log.commits()
        self.shown = self._read_shown()
        self.present = read_present(self.graph, self.shown.commits(log))
        self.wanted = project(self.commits, self.present.files, now)

    def run(self) -> None:
        shown, state = self.shown, self.log.state
        if shown.renewed != state.renewed:
            shown = self._forget_all()
        digests = {path: history.digest() for path, history in self.wanted.items()}
        stale = [path for path in shown.digests if path not in digests]
        changed = sorted([path for path, digest in digests.items() if shown.digests.get(path) != digest] + stale)
        change = _difference(self.graph, self.commits, self.wanted, changed, self.present)
        apply_change(self.graph, change, self.present, self._write)
        put = {path: digests[path] for path in changed if path in digests}
        done = _shown_commands(self.keys.side(SHOWN), put, state)
        done += delete_command(self.keys.side(SHOWN), [encode_path(path) for path in stale])
        if state.complete:
            done.append(("SET", self.keys.side(SHOWN_AT), state.head))
        self._write(done)

    def _read_shown(self) -> Shown:
        flat = self.connection.call("HGETALL", self.keys.side(SHOWN))
        fields: dict[bytes, bytes] = dict(zip(flat[::2], flat[1::2], strict=True))
        renewed, edition = fields.pop(_STATE, b"-1 -1").split()
        digests = {decode_path(path): digest for path, digest in fields.items()}
        return Shown(digests, int(renewed), int(edition))

    def _forget_all(self) -> Shown:
        """Remove all commits and people, and what followed from them: git tells them differently now."""
        self._write([("UNLINK", self.keys.side(SHOWN), self.keys.side(SHOWN_AT)), self.graph.command(CUT_ALL_TOGETHER)])
        everything = NO_CHANGE._replace(cut_commits=list(self.present.commits), cut_people=list(self.present.people))
        apply_change(self.graph, everything, self.present, self._write)
        self.present = self.present._replace(commits={}, people={}, names={}, unauthored=set())
        return Shown({}, self.log.state.renewed, -1)

    def _write(self, commands: Sequence[Command]) -> list[Reply]:
        replies = transaction(self.connection, commands, watch=self.watch)
        if replies is None:
            raise _Moved
        self.lock.renew()
        return replies


def _write_all(connection: Connection, commands: Sequence[Command]) -> list[Reply]:
    return transaction(connection, commands) or []


def _difference(
    graph: Graph, commits: Sequence[Commit], wanted: Mapping[str, FileHistory], changed: Sequence[str], present: Present
) -> Change:
    """What brings the nodes, and the edges of the `changed` files, to what is wanted."""
    by_sha = {commit.sha: commit for commit in commits}
    people: dict[str, Person] = {}
    for commit in commits:
        for person in commit.authors:
            people.setdefault(person.key, person)
    touched = read_touched(graph, changed) if present.commits else {}
    together = read_together(graph, changed) if present.commits else {}
    none = FileHistory([], [])
    want_touched = {path: wanted.get(path, none).touched for path in changed}
    want_together = {
        (path, one.path): (one.times, one.weight) for path in changed for one in wanted.get(path, none).partners
    }
    no_commits: set[str] = set()
    new = [commit for commit in commits if commit.sha not in present.commits]
    authored = [*new, *[commit for sha, commit in by_sha.items() if sha in present.unauthored]]
    return Change(
        cut_commits=[sha for sha in present.commits if sha not in by_sha],
        cut_people=[name for name in present.people if name not in people],
        cut_touched=[
            (sha, path)
            for path, shas in touched.items()
            for sha in shas.difference(want_touched[path])
            if sha in by_sha
        ],
        cut_together=[pair for pair, values in together.items() if want_together.get(pair) != values],
        people=[(key, p.email, p.name) for key, p in people.items() if present.names.get(key) != p.name],
        commits=[(commit.sha, commit.at * 1000, commit.subject, commit.size) for commit in new],
        authored=[(person.key, commit.sha) for commit in authored for person in commit.authors],
        touched=[
            (sha, path)
            for path, shas in want_touched.items()
            for sha in shas
            if sha not in touched.get(path, no_commits)
        ],
        together=[(*pair, *values) for pair, values in want_together.items() if together.get(pair) != values],
    )


def _shown_commands(key: str, digests: Mapping[str, bytes], state: LogState) -> list[Command]:
    fields = {encode_path(path): digest for path, digest in digests.items()}
    return set_command(key, {**fields, _STATE: b"%d %d" % (state.renewed, state.edition)})
