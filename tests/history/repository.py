"""A repository made for a test of its history: commits at given times, and all that the graph shows of them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

from engram.config import Config
from engram.ingest.history import HistoryReport, follow_history, is_history_current
from engram.store.keys import graph_keys
from engram.store.schema import Keys
from engram.store.wire import Connection
from engram.worktree import Worktree, find_worktree
from tests.ingest.checkout import Checkout

START = 1_600_000_000  # a Sunday in September 2020
PERSON = ("Ann", "ann@example.org")


def git(
    folder: Path,
    *args: str,
    at: int | str = START,
    author: tuple[str, str] = PERSON,
    stdin: bytes = b"",
    check: bool = True,
) -> str:
    """Run git with this identity and time ("@seconds" as git takes it); returns what it prints, stripped."""
    when = f"@{at} +0000" if isinstance(at, int) else at
    name, email = author
    env = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": name,
        "GIT_AUTHOR_EMAIL": email,
        "GIT_COMMITTER_NAME": name,
        "GIT_COMMITTER_EMAIL": email,
        "GIT_AUTHOR_DATE": when,
        "GIT_COMMITTER_DATE": when,
    }
    argv = ["git", "-c", "protocol.file.allow=always", "-C", str(folder), *args]
    run = subprocess.run(argv, check=check, capture_output=True, env=env, input=stdin)
    return run.stdout.decode("utf-8", "surrogateescape").strip()


class Repository:
    """A checkout with a clock of its own: every commit is a minute after the one before, unless told otherwise."""

    def __init__(self, root: Path, connection: Connection, config: Config) -> None:
        self.checkout = Checkout(root, connection, config, with_git=not (root / ".git").exists())
        self.root = root
        self.connection = connection
        self.config = config
        self.clock = START

    @property
    def worktree(self) -> Worktree:
        return find_worktree(str(self.root))

    @property
    def keys(self) -> Keys:
        return graph_keys(self.config, self.worktree)

    def git(self, *args: str, **options: Any) -> str:
        """Run git here, a minute later than the last time."""
        self.clock += 60
        return git(self.root, *args, **{"at": self.clock, **options})

    def commit(self, message: str = "change", files: dict[str, str | None] | None = None, **options: Any) -> str:
        """Write the files (None removes one), commit all there is; returns the id."""
        for path, text in (files or {}).items():
            if text is None:
                self.checkout.remove(path)
            else:
                self.checkout.write(path, text)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "--cleanup=verbatim", "-m", message, **options)
        return self.git("rev-parse", "HEAD")

    def follow(self, *, most_slices: int | None = None) -> HistoryReport:
        """Index what there is, then read the history."""
        self.checkout.sync()
        return self.read(most_slices=most_slices)

    def read(self, *, most_slices: int | None = None) -> HistoryReport:
        """Read the history; the index stays as it is."""
        return follow_history(self.connection, self.config, self.keys, self.worktree, most_slices=most_slices)

    def is_current(self) -> bool:
        """Whether the graph shows all that HEAD reaches."""
        return is_history_current(self.connection, self.keys, self.worktree)

    def forget(self) -> None:
        """Remove all that is kept of the history, so that it is read from its beginning."""
        self.connection.call("DEL", *[self.keys.side(name) for name in ("history", "history-shown", "history-at")])

    def touched(self) -> dict[str, list[str]]:
        """Path -> subjects of the commits that touched the file, the newest first."""
        rows = self.checkout.rows(
            "MATCH (c:Commit)-[:TOUCHED]->(f:File) WITH f, c ORDER BY c.at DESC RETURN f.path, collect(c.subject)"
        )
        return dict(rows)

    def together(self) -> dict[tuple[str, str], tuple[int, float]]:
        """Pairs of paths that change together -> count and weight."""
        rows = self.checkout.rows("MATCH (a:File)-[e:CO_CHANGES]->(b:File) RETURN a.path, b.path, e.count, e.weight")
        return {(a, b): (count, weight) for a, b, count, weight in rows}

    def people(self) -> set[tuple[str, str]]:
        """Name and address of all who wrote commits."""
        return {(name, email) for name, email in self.checkout.rows("MATCH (p:Person) RETURN p.name, p.email")}

    def authors(self, subject: str) -> set[str]:
        """The names of the authors of the commit with this subject."""
        rows = self.checkout.rows("MATCH (p:Person)-[:AUTHORED]->(c:Commit) RETURN c.subject, p.name")
        return {name for found, name in rows if found == subject}

    def contents(self) -> dict[str, Any]:
        """All that the graph holds of the history."""
        rows = self.checkout.rows
        return {
            "commits": sorted(rows("MATCH (c:Commit) RETURN c.sha, c.at, c.subject, c.files")),
            "people": sorted(rows("MATCH (p:Person) RETURN p.id, p.name, p.email")),
            "authored": sorted(rows("MATCH (p:Person)-[:AUTHORED]->(c:Commit) RETURN p.id, c.sha")),
            "touched": sorted(rows("MATCH (c:Commit)-[:TOUCHED]->(f) RETURN c.sha, labels(f)[0], f.path")),
            "together": sorted(rows("MATCH (a)-[e:CO_CHANGES]->(b) RETURN a.path, b.path, e.count, e.weight")),
        }
