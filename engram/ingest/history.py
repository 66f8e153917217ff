"""Reading the git history of a checkout, after an index and apart from it: the newest commits first, then the rest.

What was read is kept beside the graph (`store.history_log`), and the graph made to show it (`ingest.history_graph`).
Afterwards only what HEAD reaches now and did not before is read, and what it reaches no more forgotten, whether HEAD
moved on, to another branch, or to rewritten commits.
"""

from __future__ import annotations

import time
from typing import NamedTuple

from engram.config import Config
from engram.errors import GitError, IndexBusy, NotIndexed
from engram.history.grounds import Grounds, read_grounds
from engram.history.log import list_commits, read_commits
from engram.history.messages import pack_messages
from engram.ingest.history_graph import show_history
from engram.journal.commit import current_commit, has_ref_tables
from engram.store.files import Command
from engram.store.graph import transaction
from engram.store.history import SHOWN_AT
from engram.store.history_log import HistoryLog, LogState, read_log_state
from engram.store.lock import IndexLock, acquire_lock
from engram.store.messages import message_commands, message_head
from engram.store.schema import Keys
from engram.store.wire import Connection
from engram.worktree import Worktree

FIRST_SLICE = 5000  # commits: half a second of git's time, and years of most repositories
NEXT_SLICE = 10_000  # what follows in the background; git passes over those before at 200,000 a second
MAX_COMMITS = 100_000  # kept of one history: 100 MB in the process that reads it, and older ones weigh nothing


class HistoryReport(NamedTuple):
    """How far the history of a checkout is: `commits` are in the graph, of which `new` were read by this run.

    `complete` says that there are no older ones, or as many as are kept; `failure` why git could not tell them.
    """

    commits: int
    new: int
    complete: bool
    failure: str = ""


def is_history_current(connection: Connection, keys: Keys, worktree: Worktree) -> bool:
    """Whether the graph shows all of the history that HEAD reaches; told without starting git."""
    if not worktree.git_dir:
        return True
    shown: bytes | None = connection.call("GET", keys.side(SHOWN_AT))
    head = current_commit(worktree)
    if head or not has_ref_tables(worktree):
        return (shown or b"").decode("ascii") == head
    return shown is not None  # only git reads such refs: what is newer comes with the next change of a file


def follow_history(
    connection: Connection,
    config: Config,
    keys: Keys,
    worktree: Worktree,
    *,
    most_slices: int | None = None,
    wait_s: float = 0.0,
) -> HistoryReport:
    """Read what is new of the history, then what is older, until all is read or `most_slices` were.

    One process at a time reads a slice for a checkout.  Raises IndexBusy if another one still does after `wait_s`, and
    GitError where git does not tell what HEAD is.
    """
    reading = _Reading(connection, keys, worktree)
    own = Keys(keys.side("history-run"))  # the name of another lock than the one on the index
    slices = 0
    while worktree.git_dir and (most_slices is None or slices < most_slices) and reading.is_behind():
        with acquire_lock(connection, config, own, wait_s=wait_s) as lock:
            if not reading.step(lock):
                break
        slices += 1
    return read_report(connection, keys)._replace(new=reading.new)


def read_report(connection: Connection, keys: Keys) -> HistoryReport:
    """How far the history of the checkout is, as if by a run that had nothing to read."""
    state = read_log_state(connection, keys) or LogState()
    return HistoryReport(state.commits, 0, state.complete, state.failure)


class _Reading:
    """One run: `step` reads one slice, and shows it in the graph."""

    def __init__(self, connection: Connection, keys: Keys, worktree: Worktree) -> None:
        self.connection = connection
        self.keys = keys
        self.worktree = worktree
        self.log = HistoryLog.empty()
        self.new = 0

    def is_behind(self) -> bool:
        """Whether something is left to be read or shown."""
        grounds = read_grounds(self.worktree)
        state = read_log_state(self.connection, self.keys) or LogState()
        if not grounds.head and not state.head:
            return False
        if state.head != grounds.head or state.grounds != grounds.digest or not state.complete:
            return True
        shown: bytes | None = self.connection.call("GET", self.keys.side(SHOWN_AT))
        return shown is None or shown.decode("ascii") != state.head

    def step(self, lock: IndexLock) -> bool:
        """Read one slice of commits, and let the graph show what was read so far; whether it does."""
        grounds = read_grounds(self.worktree)
        if self.log.state != read_log_state(self.connection, self.keys):
            self.log = HistoryLog.load(self.connection, self.keys)
        log, state = self.log, self.log.state
        if state.grounds != grounds.digest or not grounds.head:
            self._begin(log, grounds, renewed=state.renewed + 1)
        elif state.head != grounds.head:
            self._follow(log, grounds)
        elif not state.complete:
            self._go_back(log, grounds)
        lock.renew()
        if transaction(self.connection, self._commands(log), watch=[lock.watch]) is None:
            raise IndexBusy("another process took over the reading of the history")
        try:
            return show_history(self.connection, self.keys, log, int(time.time()), lock)
        except NotIndexed:
            return False

    def _commands(self, log: HistoryLog) -> list[Command]:
        """The commands that store the log, and the words of its messages where they are of another head."""
        commands = log.commands(self.keys)
        if message_head(self.connection, self.keys) != log.state.head:
            commands += message_commands(self.keys, log.state.head, *pack_messages(log.commits()))
        return commands

    def _begin(self, log: HistoryLog, grounds: Grounds, *, renewed: int) -> None:
        """Read the newest commits, and forget what was read before."""
        state = LogState(head=grounds.head, grounds=grounds.digest, walk=grounds.head, renewed=renewed)
        if not grounds.head:
            log.begin(state._replace(complete=True), [])
            return
        try:
            commits = read_commits(self.worktree.root, [grounds.head], most=FIRST_SLICE, boundary=grounds.boundary)
        except GitError as error:
            log.begin(state._replace(complete=True, failure=error.message), [])
            return
        self.new += len(commits)
        log.begin(state._replace(walked=len(commits), complete=len(commits) < FIRST_SLICE), commits)

    def _follow(self, log: HistoryLog, grounds: Grounds) -> None:
        """Read what HEAD reaches now and did not before; where that is much, or cannot be told, begin anew."""
        state = log.state
        try:
            gone = list_commits(self.worktree.root, [state.head, f"^{grounds.head}"], most=FIRST_SLICE)
            revisions = [grounds.head, f"^{state.head}"]
            commits = read_commits(self.worktree.root, revisions, most=FIRST_SLICE, boundary=grounds.boundary)
        except GitError:  # the commit that was seen last is not there any more
            self._begin(log, grounds, renewed=state.renewed)
            return
        if max(len(gone), len(commits)) >= FIRST_SLICE or (gone and not state.complete) or state.failure:
            self._begin(log, grounds, renewed=state.renewed)
            return
        self.new += len(commits)
        log.add_newer(state._replace(head=grounds.head), commits, set(gone))

    def _go_back(self, log: HistoryLog, grounds: Grounds) -> None:
        """Read the next older commits."""
        state = log.state
        most = min(NEXT_SLICE, MAX_COMMITS - state.walked)
        try:
            commits = read_commits(
                self.worktree.root, [state.walk], most=most, skip=state.walked, boundary=grounds.boundary
            )
        except GitError as error:
            log.add_older(state._replace(complete=True, failure=error.message), [])
            return
        self.new += len(commits)
        walked = state.walked + len(commits)
        log.add_older(state._replace(walked=walked, complete=len(commits) < most or walked >= MAX_COMMITS), commits)
