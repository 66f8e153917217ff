"""Questions to the history part of the graph about one file."""

from __future__ import annotations

from engram.model import Value
from engram.store.cochanges import CoChange, find_co_changes
from engram.store.graph import Graph, rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram.store.cypher import Parameter

_COUNT = "MATCH (f:File {path: $path}) OPTIONAL MATCH (f)<-[:TOUCHED]-(c:Commit) RETURN f.path, count(c)"
_AUTHORS = (
    "MATCH (:File {path: $path})<-[:TOUCHED]-(c:Commit)<-[:AUTHORED]-(p:Person) "
    "RETURN p.name, p.email, count(c) AS n, max(c.at) AS last ORDER BY n DESC, last DESC, p.email, p.name LIMIT $limit"
)
_COMMITS = (
    "MATCH (:File {path: $path})<-[:TOUCHED]-(c:Commit) WITH c ORDER BY c.at DESC, c.sha LIMIT $limit "
    "MATCH (p:Person)-[:AUTHORED]->(c) WITH c, p ORDER BY p.id WITH c, collect(p.name) AS names "
    "RETURN c.sha AS sha, c.at AS at, c.subject, c.files, names ORDER BY at DESC, sha"
)
_READ_MS = 5000


class Author(Value):
    """A person, in how many commits of a file, which share of them that is (0 to 1), and when last (epoch ms).

    A commit with two authors counts for both.
    """

    name: str
    email: str
    commits: int
    share: float
    last: int


class Change(Value):
    """A commit that touched a file: when it was written (epoch ms), by whom, and how many paths it changed in all."""

    sha: str
    at: int
    subject: str
    files: int
    authors: tuple[str, ...]


class FileHistory(Value):
    """What the graph tells of one file: how many commits touched it, who wrote them, the last ones, and co-changes.

    Each list is cut to what was asked for: authors by commits, commits the newest first, files the strongest first.
    """

    path: str
    commits: int
    authors: tuple[Author, ...]
    last: tuple[Change, ...]
    co_changes: tuple[CoChange, ...]


def find_file_history(graph: Graph, path: str, *, limit: int) -> FileHistory | None:
    """The history of a file, at most `limit` of each kind; None where it is not indexed.  Raises NotIndexed."""
    found = graph.read(_COUNT, {"path": path}, timeout_ms=_READ_MS)
    if not found:
        return None
    total = found[0][1]
    params: dict[str, Parameter] = {"path": path, "limit": limit}
    asked = [graph.read_command(query, params, timeout_ms=_READ_MS) for query in (_AUTHORS, _COMMITS)]
    authors, commits = [rows(reply) for reply in graph.connection.pipeline(asked)]
    return FileHistory(
        path,
        total,
        tuple([Author(name, email, n, round(n / total, 3), last) for name, email, n, last in authors]),
        tuple([Change(sha, at, subject, files, tuple(names)) for sha, at, subject, files, names in commits]),
        tuple(find_co_changes(graph, path, limit=limit)),
    )
