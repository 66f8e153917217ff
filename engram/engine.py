"""`Engram`: one checkout, its index, and the questions it answers.  The public surface for programs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from engram.activity.claims import Claim
from engram.activity.turn import take_turns, want_worker
from engram.config import Config
from engram.errors import IndexBusy, UnknownSymbol
from engram.gitrun import first_commit
from engram.history.cochange import MAX_PARTNERS
from engram.ingest.activity import read_news, take_in
from engram.ingest.history import HistoryReport, follow_history, is_history_current, read_report
from engram.ingest.refine import refine_calls
from engram.ingest.report import IndexReport, Progress, no_progress
from engram.ingest.sync import Sync
from engram.model import Call, Map, Symbol
from engram.orient.map import DEFAULT_LIMIT, find_map
from engram.spawn import start_detached
from engram.store import code
from engram.store.activity import SessionRecord, list_sessions
from engram.store.catalog import drop_unused, note_used
from engram.store.claims import open_claims, release_path, tidy_claims
from engram.store.cochanges import CoChange, find_co_changes
from engram.store.core import note_core
from engram.store.file_history import FileHistory, find_file_history
from engram.store.graph import Graph
from engram.store.keys import graph_keys
from engram.store.repositories import claims_elsewhere, join_repository, knows_repository
from engram.store.schema import Keys
from engram.store.server import open_connection
from engram.store.wire import Connection
from engram.worktree import Worktree, permitted_worktree

REFINE_PAUSE_S = 600  # the pass takes a core for 20 s in a repository of 250,000 lines
_MANY = 1_000_000  # no cut: for callers that print all


class Engram:
    """An open checkout.  Use as a context manager; nothing is indexed until `sync` is called."""

    def __init__(self, config: Config, worktree: Worktree, keys: Keys, connection: Connection) -> None:
        self.config = config
        self.worktree = worktree
        self.keys = keys
        self.connection = connection
        self.graph = Graph(connection, keys.graph)

    @classmethod
    def open(cls, config: Config, repo: str = ".", *, start: bool = True) -> Self:
        """The checkout around `repo`, with a connection to the server; with `start`, it is started where none runs.

        Raises NotARepository, PathOutsideRoot (inside a client, for another repository), ServerUnavailable,
        EngineMissing.
        """
        worktree = permitted_worktree(repo, in_client=config.in_client)
        return cls(config, worktree, graph_keys(config, worktree), open_connection(config, start=start))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.connection.close()

    def sync(
        self,
        *,
        rebuild: bool = False,
        only: Sequence[str] = (),
        detailed: bool = False,
        progress: Progress = no_progress,
    ) -> IndexReport:
        """Bring the index up to date with the files, or with those that `only` names by their paths.

        A `detailed` report counts what was left out.  A build drops the indexes of checkouts that are gone or long
        unused.  Raises IndexBusy if another process holds the index for too long.
        """
        note_used(self.connection, self.config, self.keys, self.worktree.root)
        run = Sync(self.connection, self.config, self.keys, self.worktree, progress, only=only, detailed=detailed)
        report = run.run(rebuild=rebuild)
        if report.mode == "built":
            drop_unused(self.connection, self.config)
            # refused while an earlier one still runs, and on a server that forbids it: it saves space, no more
            self.connection.pipeline([("BGREWRITEAOF",)])
        self._work_later(report.mode)
        return report

    def refine(self) -> int | None:
        """Sharpen the calls of the index as it is now; returns for how many files, None if there was nothing to do.

        The core files follow from the calls, so they are noted anew; and the first commit, which tells what checkouts
        belong together, takes git 0.2 s to find in a history of 24,000 commits.
        """
        refined = refine_calls(self.connection, self.config, self.keys, self.worktree.root)
        if self.graph.exists():
            note_core(self.connection, self.keys)
            self._join_repository()
        return refined

    def read_history(self, *, most_slices: int | None = None, wait_s: float = 0.0) -> HistoryReport:
        """Read what is new in the git history, then what is older, at most so many slices (see `follow_history`)."""
        return follow_history(
            self.connection, self.config, self.keys, self.worktree, most_slices=most_slices, wait_s=wait_s
        )

    def history_report(self) -> HistoryReport:
        """How far the git history is read."""
        return read_report(self.connection, self.keys)

    def file_history(self, path: str, *, limit: int) -> FileHistory | None:
        """Authors, last commits and co-changes of a file, at most `limit` of each; None where it is not indexed."""
        return find_file_history(self.graph, path, limit=limit)

    def co_changes(self, path: str, *, limit: int = MAX_PARTNERS) -> list[CoChange]:
        """The files that change with this one, the strongest first; empty where history tells of none."""
        return find_co_changes(self.graph, path, limit=limit)

    def claim_history(self) -> bool:
        """Whether history has to be read, and this process is the one to see to it; true for one process at a time.

        The claim ends with `release_history`, and by itself after REFINE_PAUSE_S.
        """
        if is_history_current(self.connection, self.keys, self.worktree):
            return False
        key = self.keys.side("history-started")
        return self.connection.call("SET", key, 1, "EX", REFINE_PAUSE_S, "NX") is not None

    def release_history(self) -> None:
        """Let others claim to read the history again."""
        self.connection.call("DEL", self.keys.side("history-started"))

    def _work_later(self, mode: str) -> None:
        """Start `engram refine` in the background where there is something for it to do.

        The calls are refined after a build, and after an update at most once in REFINE_PAUSE_S; the history is read
        whenever HEAD or the set of files has changed.
        """
        if not self.config.refine:
            return
        calls, history = mode != "fresh" and self._claim_calls(at_once=mode == "built"), self.claim_history()
        if calls or history:
            args = ["refine", "--background", *([] if calls else ["--history"]), "--repo", self.worktree.root]
            start_detached(args, os.path.join(self.config.home, "refine.log"))

    def _claim_calls(self, *, at_once: bool) -> bool:
        unless = [] if at_once else ["NX"]
        key = self.keys.side("refining")
        return self.connection.call("SET", key, 1, "EX", REFINE_PAUSE_S, *unless) is not None

    def follow(self, *, unasked: bool = False, wait_s: float = 0.0) -> int:
        """Take what the sessions did since the last time into index and graph, as long as hooks ask for it.

        `unasked`: once even where none did.  One process at a time does so for a checkout; where another one does for
        longer than `wait_s`, nothing is done.  Returns how often there was something to do.
        """
        if unasked:
            want_worker(self.worktree.root)
        return take_turns(self.worktree.root, self._follow_once, wait_s=wait_s)

    def _follow_once(self) -> None:
        news = read_news(self.connection, self.keys, self.worktree.root)
        if news.edited or news.swept:
            try:
                self.sync(only=() if news.swept else news.edited)
            except IndexBusy:
                pass  # whoever holds the index for so long will look at these files as well, or the next run will
        take_in(self.connection, self.keys, news)
        tidy_claims(self.connection, self.keys, lasts_ms=self.config.claim_ms)
        self._join_repository()

    def _join_repository(self) -> None:
        """Let the checkout and the others of its repository see each other's claims, once there is a commit to tell."""
        if not knows_repository(self.connection, self.keys):
            repository = first_commit(self.worktree)
            if repository or not self.worktree.git_dir:
                join_repository(self.connection, self.keys, repository)

    def sessions(self, *, limit: int, files: int) -> list[SessionRecord]:
        """The last sessions of this checkout first, at most `limit`, each with the last `files` files."""
        return list_sessions(self.connection, self.keys, limit=limit, files=files)

    def claims(self) -> list[Claim]:
        """The open claims of this checkout, then those of the repository's other checkouts, each by path."""
        lasts_ms = self.config.claim_ms
        own = open_claims(self.connection, self.keys, lasts_ms=lasts_ms)
        return own + claims_elsewhere(self.connection, self.keys, lasts_ms=lasts_ms)

    def release(self, path: str) -> list[str]:
        """End the claims on a file of this checkout; returns the ids of their sessions."""
        return release_path(self.connection, self.keys, path)

    def orient(self, text: str, *, limit: int = DEFAULT_LIMIT) -> Map:
        """The places that `text` is about, best first, at most `limit`.  Raises NotIndexed before the first `sync`."""
        return find_map(self.connection, self.keys, self.worktree.root, text, limit=limit)

    def find_symbol(self, name: str) -> Symbol:
        """The one symbol that `name` means (see `store.code.find_symbols`).

        Raises UnknownSymbol, naming some of the candidates, if there is none or more than one.
        """
        found = code.find_symbols(self.graph, name, limit=_MANY)
        if len(found) == 1:
            return found[0]
        if not found:
            raise UnknownSymbol(
                f"no symbol is called {name}", f"list those with a part of the name: engram symbols {name}"
            )
        listed = ", ".join(symbol.id for symbol in found[:5]) + (", ..." if len(found) > 5 else "")
        raise UnknownSymbol(f"{len(found)} symbols are called {name}", f"name one by its id: {listed}")

    def callers(self, symbol: Symbol, *, limit: int) -> list[Call]:
        """The calls of the symbol, the surest first; at most `limit`."""
        return code.find_callers(self.graph, symbol.id, limit=limit)

    def callees(self, symbol: Symbol, *, limit: int) -> list[Call]:
        """The calls that the symbol makes, the surest first; at most `limit`."""
        return code.find_callees(self.graph, symbol.id, limit=limit)

    def symbols(self, part: str, *, limit: int) -> list[Symbol]:
        """The symbols whose qualified name holds `part`, in any case, by path and line; at most `limit`."""
        return code.list_symbols(self.graph, part, limit=limit)
