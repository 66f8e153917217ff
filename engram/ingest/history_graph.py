"""Making the graph show the history that was read: only what differs is written, by the quicker of two ways."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from engram.errors import IndexBusy
from engram.history.facts import Commit, Person
from engram.history.projection import FileHistory, project
from engram.store.files import Command, decode_path, delete_command, encode_path, set_command
from engram.store.generation import Generation
from engram.store.graph import Graph, transaction
from engram.store.history import (
    CUT_ALL_TOGETHER,
    NO_CHANGE,
    NO_NUMBER,
    SHOWN,
    SHOWN_AT,
    Change,
    Present,
    bulk_edges,
    bulk_nodes,
    cut_commands,
    is_dense,
    make_history_indexes,
    put_commands,
    read_commit_numbers,
    read_present,
    read_together,
    read_touched,
)
from engram.store.history_log import HistoryLog, LogState
from engram.store.lock import IndexLock
from engram.store.schema import Keys
from engram.store.wire import Connection

_MANY = 2000  # nodes and edges to add from which on a bulk load is quicker, its look at the whole graph included
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
    _load(graph, _difference(graph, commits, wanted, sorted(wanted), present), present, [])
    make_history_indexes(graph)
    digests = {path: history.digest() for path, history in wanted.items()}
    _run(connection, _shown_commands(keys.side_new(SHOWN), digests, log.state), [])
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
        make_history_indexes(self.graph)
        shown, state = self.shown, self.log.state
        if shown.renewed != state.renewed:
            shown = self._forget_all()
        digests = {path: history.digest() for path, history in self.wanted.items()}
        stale = [path for path in shown.digests if path not in digests]
        changed = sorted([path for path, digest in digests.items() if shown.digests.get(path) != digest] + stale)
        change = _difference(self.graph, self.commits, self.wanted, changed, self.present)
        for command in cut_commands(self.graph, change):
            self._write([command])
        if change.added >= _MANY and is_dense(self.graph):
            _load(self.graph, change, self.present, self.watch)
        else:
            for command in put_commands(self.graph, change):
                self._write([command])
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
        for command in cut_commands(self.graph, everything):
            self._write([command])
        self.present = self.present._replace(commits={}, people={}, names={}, unauthored=set())
        return Shown({}, self.log.state.renewed, -1)

    def _write(self, commands: Sequence[Command]) -> None:
        _run(self.connection, commands, self.watch)
        self.lock.renew()


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


def _load(graph: Graph, change: Change, present: Present, watch: Sequence[tuple[str, bytes | None]]) -> None:
    """Add everything by two bulk loads: the engine numbers the nodes of the first, which the edges then name."""
    if NO_NUMBER in present.commits.values():
        present = read_present(graph)._replace(files=present.files)
    unauthored = present.unauthored.union([row[0] for row in change.commits if row[0] not in present.commits])
    change = change._replace(authored=[edge for edge in change.authored if edge[1] in unauthored])
    renamed = [row for row in change.people if row[0] in present.people]
    for command in put_commands(graph, NO_CHANGE._replace(people=renamed)):
        _run(graph.connection, [command], watch)
    if nodes := bulk_nodes(graph, change, present):
        _run(graph.connection, nodes, watch)
        people = read_present(graph, known=()).people
        present = present._replace(commits=read_commit_numbers(graph), people=people)
    _run(graph.connection, bulk_edges(graph, change, present), watch)


def _shown_commands(key: str, digests: Mapping[str, bytes], state: LogState) -> list[Command]:
    fields = {encode_path(path): digest for path, digest in digests.items()}
    return set_command(key, {**fields, _STATE: b"%d %d" % (state.renewed, state.edition)})


def _run(connection: Connection, commands: Iterable[Command], watch: Sequence[tuple[str, bytes | None]]) -> None:
    listed = list(commands)
    if listed and transaction(connection, listed, watch=watch) is None:
        raise _Moved
