"""A checkout made for a test: write files, commit them, index them, look at everything that the index holds."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

from engram.config import Config, load_config
from engram.ingest.report import IndexReport, no_progress
from engram.ingest.sync import Sync
from engram.store.graph import Graph
from engram.store.keys import graph_keys
from engram.store.lexical import delta_key, read_postings, segment_key, unpack
from engram.store.server import open_connection
from engram.store.wire import Connection
from engram.worktree import find_worktree

_GIT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org",
    "GIT_AUTHOR_DATE": "2024-01-01T00:00:00Z",
    "GIT_COMMITTER_DATE": "2024-01-01T00:00:00Z",
}


def git(folder: Path, *args: str) -> str:
    """Run git in the folder with fixed identity and dates; returns what it prints."""
    env = {"PATH": os.environ["PATH"], "HOME": str(folder), **_GIT}
    run = subprocess.run(["git", "-C", str(folder), *args], check=True, capture_output=True, env=env)
    return run.stdout.decode()


class Checkout:
    """One repository under test, on the shared server."""

    def __init__(self, root: Path, connection: Connection, config: Config, *, with_git: bool = True) -> None:
        self.root = root
        self.connection = connection
        self.config = config
        root.mkdir(parents=True, exist_ok=True)
        if with_git:
            git(root, "init", "-q", "-b", "main")

    def write(self, path: str, text: str | bytes) -> None:
        """Put a file there, making its folders."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape"))

    def remove(self, path: str) -> None:
        """Delete a file."""
        (self.root / path).unlink()

    def commit(self) -> None:
        """Commit all there is."""
        git(self.root, "add", "-A")
        git(self.root, "commit", "-q", "--allow-empty", "-m", "change")

    def sync(self, *only: str, rebuild: bool = False) -> IndexReport:
        """One run of the indexer, with a detailed report."""
        worktree = find_worktree(str(self.root))
        keys = graph_keys(self.config, worktree)
        return Sync(self.connection, self.config, keys, worktree, no_progress, only=only, detailed=True).run(
            rebuild=rebuild
        )

    @property
    def graph(self) -> Graph:
        """The graph that readers see."""
        return Graph(self.connection, graph_keys(self.config, find_worktree(str(self.root))).graph)

    def rows(self, query: str) -> list[list[Any]]:
        """The rows of a read."""
        return self.graph.read(query, timeout_ms=60_000)

    def calls(self) -> set[tuple[str, str]]:
        """All call edges as (id of the caller, id of the callee)."""
        return {(a, b) for a, b in self.rows("MATCH (a:Symbol)-[:CALLS]->(b:Symbol) RETURN a.id, b.id")}

    def contents(self) -> dict[str, Any]:
        """Everything the index holds that does not depend on when, or in how many steps, it was made."""
        keys = graph_keys(self.config, find_worktree(str(self.root)))
        owner = {number: path for path, number in self.rows("MATCH (f:File) RETURN f.path, f.number")}
        return {
            "files": sorted(self.rows("MATCH (f:File) RETURN f.path, f.language, f.lines, f.size, f.hash, f.status")),
            "symbols": sorted(
                [
                    *row[:-1],
                    owner[row[-1] >> 12],
                    row[-1] & 4095,
                ]
                for row in self.rows(
                    "MATCH (s:Symbol) RETURN s.id, s.name, s.qualname, s.kind, s.path, s.start, s.end, s.signature, "
                    "s.summary, s.exported, s.doc"
                )
            ),
            "defines": sorted(self.rows("MATCH (f:File)-[:DEFINES]->(s:Symbol) RETURN f.path, s.id")),
            "calls": sorted(
                self.rows("MATCH (a:Symbol)-[e:CALLS]->(b:Symbol) RETURN a.id, b.id, e.line, e.confidence")
            ),
            "inherits": sorted(self.rows("MATCH (a:Symbol)-[:INHERITS]->(b:Symbol) RETURN a.id, b.id")),
            "imports": sorted(self.rows("MATCH (a:File)-[:IMPORTS]->(b:File) RETURN a.path, b.path")),
            "facts": self._hash(keys.facts),
            "names": self._hash(keys.side("names")),
            "asked": self._hash(keys.side("asked")),
            "askers": self._hash(keys.side("askers")),
            "records": sorted(self._hash(keys.side("records"))),
            "words": self._words(keys.lexical, owner),
        }

    def _hash(self, key: str) -> dict[bytes, bytes]:
        flat = self.connection.call("HGETALL", key)
        return dict(zip(flat[::2], flat[1::2], strict=True))

    def _words(self, base: str, owner: dict[int, str]) -> dict[bytes, list[tuple[str, int, int]]]:
        """Term -> postings as (path, slot, weight), those of replaced files left out."""
        count = int(self.connection.call("GET", base) or 0)
        fields: set[bytes] = set()
        for key in [*[segment_key(base, index) for index in range(count)], delta_key(base)]:
            fields.update(self._hash(key))
        terms = sorted(field for field in fields if not field.startswith(b"#"))
        postings = read_postings(self.connection, base, terms)
        out: dict[bytes, list[tuple[str, int, int]]] = {}
        for term, packed in postings.lists.items():
            for part in packed:
                ids, weights = unpack(part)
                for document, weight in zip(ids, weights, strict=True):
                    if document >> 12 in owner:
                        out.setdefault(term, []).append((owner[document >> 12], document & 4095, weight))
        return {term: sorted(found) for term, found in out.items()}


def index_folder(folder: str) -> None:
    """One run of the indexer in a process of its own, on the server that ENGRAM_HOME names; prints its mode."""
    config = load_config()
    with open_connection(config) as connection:
        print(Checkout(Path(folder), connection, config, with_git=False).sync().mode)
