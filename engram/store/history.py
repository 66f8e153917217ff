"""The history part of the graph: the writes that bring it from what it shows to what it should, and its indexes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from engram.errors import StoreError
from engram.store.bulk import bulk_command, pack_edges, pack_nodes
from engram.store.files import Command, delete_command, encode_path
from engram.store.graph import Graph
from engram.store.schema import AUTHORED, CO_CHANGES, COMMIT, FILE, PERSON, TOUCHED

if TYPE_CHECKING:
    from engram.store.cypher import Parameter
    from engram.store.schema import Keys

type Row = Sequence[Parameter]

# Beside the graph, and swapped with it: path -> digest of the file's history as the graph shows it; and the commit
# whose history it shows, missing where the files have changed since.
SHOWN, SHOWN_AT = "history-shown", "history-at"

_ROWS = 500  # of one write, which keeps the readers of the graph waiting for some 20 ms
_PATHS = 200  # of one read
_SLOW_MS = 20_000

_INDEXES = (f"CREATE INDEX FOR (n:{COMMIT}) ON (n.sha)", f"CREATE INDEX FOR (n:{PERSON}) ON (n.id)")

_FILES = f"MATCH (f:{FILE}) RETURN f.path, ID(f)"
_COMMITS = f"MATCH (c:{COMMIT}) RETURN c.sha, ID(c)"
_AUTHORED = f"MATCH (:{PERSON})-[:{AUTHORED}]->(c:{COMMIT}) RETURN ID(c)"  # indegree() takes ten times as long
_PEOPLE = f"MATCH (p:{PERSON}) RETURN p.id, ID(p), p.name"
_TOUCHED = (
    f"UNWIND $paths AS path MATCH (c:{COMMIT})-[:{TOUCHED}]->(f:{FILE} {{path: path}}) RETURN path, collect(c.sha)"
)
_TOGETHER = (
    f"UNWIND $paths AS path MATCH (:{FILE} {{path: path}})-[e:{CO_CHANGES}]->(g:{FILE}) "
    "RETURN path, g.path, e.count, e.weight"
)
NO_NUMBER = -1
_NODES = "MATCH (n) RETURN count(n), max(ID(n))"

_CUT_COMMITS = f"UNWIND $rows AS sha MATCH (c:{COMMIT} {{sha: sha}}) DETACH DELETE c"
_CUT_PEOPLE = f"UNWIND $rows AS id MATCH (p:{PERSON} {{id: id}}) DETACH DELETE p"
_CUT_TOUCHED = f"UNWIND $rows AS r MATCH (:{COMMIT} {{sha: r[0]}})-[e:{TOUCHED}]->(:{FILE} {{path: r[1]}}) DELETE e"
_CUT_TOGETHER = f"UNWIND $rows AS r MATCH (:{FILE} {{path: r[0]}})-[e:{CO_CHANGES}]->(:{FILE} {{path: r[1]}}) DELETE e"
CUT_ALL_TOGETHER = f"MATCH (:{FILE})-[e:{CO_CHANGES}]->() DELETE e"  # at most MAX_PARTNERS for each file
_PUT_PEOPLE = f"UNWIND $rows AS r MERGE (p:{PERSON} {{id: r[0]}}) SET p.email = r[1], p.name = r[2]"
_PUT_COMMITS = f"UNWIND $rows AS r MERGE (c:{COMMIT} {{sha: r[0]}}) SET c.at = r[1], c.subject = r[2], c.files = r[3]"
_PUT_AUTHORED = (
    f"UNWIND $rows AS r MATCH (p:{PERSON} {{id: r[0]}}) MATCH (c:{COMMIT} {{sha: r[1]}}) MERGE (p)-[:{AUTHORED}]->(c)"
)
_PUT_TOUCHED = (
    f"UNWIND $rows AS r MATCH (c:{COMMIT} {{sha: r[0]}}) MATCH (f:{FILE} {{path: r[1]}}) CREATE (c)-[:{TOUCHED}]->(f)"
)
_PUT_TOGETHER = (
    f"UNWIND $rows AS r MATCH (a:{FILE} {{path: r[0]}}) MATCH (b:{FILE} {{path: r[1]}}) "
    f"CREATE (a)-[:{CO_CHANGES} {{count: r[2], weight: r[3]}}]->(b)"
)


class Present(NamedTuple):
    """What the graph holds, each with the engine's number of the node.

    `unauthored` are commits whose authors are missing, as a write that broke off leaves them; `names` are of people.
    """

    files: dict[str, int]
    commits: dict[str, int]
    people: dict[str, int]
    names: dict[str, str]
    unauthored: set[str]


class Change(NamedTuple):
    """What has to change.  People are (id, email, name), commits (sha, at in ms, subject, files).

    Edges name their ends: authored (person, commit), touched (commit, path), together (path, other path, and to put
    them: count, weight).  A person that is put and there already gets the new name; an edge whose properties change is
    both cut and put.
    """

    cut_commits: list[str]
    cut_people: list[str]
    cut_touched: list[tuple[str, str]]
    cut_together: list[tuple[str, str]]
    people: list[tuple[str, str, str]]
    commits: list[tuple[str, int, str, int]]
    authored: list[tuple[str, str]]
    touched: list[tuple[str, str]]
    together: list[tuple[str, str, int, float]]

    @property
    def added(self) -> int:
        """How many nodes and edges it adds."""
        return len(self.people) + len(self.commits) + len(self.authored) + len(self.touched) + len(self.together)


NO_CHANGE = Change([], [], [], [], [], [], [], [], [])


def make_history_indexes(graph: Graph) -> None:
    """Make the indexes of the history part where they are missing."""
    for reply in graph.connection.pipeline([graph.command(query) for query in _INDEXES]):
        if isinstance(reply, StoreError) and "already indexed" not in reply.message:
            raise reply


def read_present(graph: Graph, known: Iterable[str] | None = None) -> Present:
    """The nodes that history is about; where the commits are `known`, they are not asked for, and have no number.

    Raises NotIndexed where no graph is.
    """
    files = dict(graph.read(_FILES, timeout_ms=_SLOW_MS))
    people = graph.read(_PEOPLE, timeout_ms=_SLOW_MS)
    numbers = {name: number for name, number, _ in people}
    names = {name: shown for name, _, shown in people}
    if known is not None:
        return Present(files, dict.fromkeys(known, NO_NUMBER), numbers, names, set())
    commits = read_commit_numbers(graph)
    authored = {row[0] for row in graph.read(_AUTHORED, timeout_ms=_SLOW_MS)}
    unauthored = {sha for sha, number in commits.items() if number not in authored}
    return Present(files, commits, numbers, names, unauthored)


def read_commit_numbers(graph: Graph) -> dict[str, int]:
    """The engine's number of each commit, by its id."""
    return dict(graph.read(_COMMITS, timeout_ms=_SLOW_MS))


def read_touched(graph: Graph, paths: Sequence[str]) -> dict[str, set[str]]:
    """The ids of the commits that touched each of the files, as the graph has them; none for a file without."""
    return {path: set(commits) for path, commits in _read_parts(graph, _TOUCHED, paths)}


def read_together(graph: Graph, paths: Sequence[str]) -> dict[tuple[str, str], tuple[int, float]]:
    """Count and weight of the edges that leave the files to what changes with them."""
    return {(path, other): (count, weight) for path, other, count, weight in _read_parts(graph, _TOGETHER, paths)}


def is_dense(graph: Graph) -> bool:
    """Whether the engine's numbers of nodes have no gap, as GRAPH.BULK takes for granted."""
    [[count, last]] = graph.read(_NODES, timeout_ms=_SLOW_MS)
    return bool(count == (-1 if last is None else last) + 1)


def cut_commands(graph: Graph, change: Change) -> Iterator[Command]:
    """The commands that remove, each a bounded write of its own."""
    yield from _in_parts(graph, _CUT_TOGETHER, change.cut_together)
    yield from _in_parts(graph, _CUT_TOUCHED, change.cut_touched)
    yield from _in_parts(graph, _CUT_COMMITS, change.cut_commits)
    yield from _in_parts(graph, _CUT_PEOPLE, change.cut_people)


def put_commands(graph: Graph, change: Change) -> Iterator[Command]:
    """The commands that add, each a bounded write of its own."""
    yield from _in_parts(graph, _PUT_PEOPLE, change.people)
    yield from _in_parts(graph, _PUT_COMMITS, change.commits)
    yield from _in_parts(graph, _PUT_AUTHORED, change.authored)
    yield from _in_parts(graph, _PUT_TOUCHED, change.touched)
    yield from _in_parts(graph, _PUT_TOGETHER, change.together)


def bulk_nodes(graph: Graph, change: Change, present: Present) -> list[Command]:
    """The command that adds the people and commits that are not there; none where all are.  For a dense graph."""
    people = [row for row in change.people if row[0] not in present.people]
    commits = [row for row in change.commits if row[0] not in present.commits]
    blobs = [
        (len(people), pack_nodes(PERSON, ("id", "email", "name"), people)),
        (len(commits), pack_nodes(COMMIT, ("sha", "at", "subject", "files"), commits)),
    ]
    nodes = [blob for blob in blobs if blob[0]]
    return [bulk_command(graph.key, begin=False, node_blobs=nodes, edge_blobs=[])] if nodes else []


def bulk_edges(graph: Graph, change: Change, present: Present) -> list[Command]:
    """The command that adds the edges, to be run while the nodes are as `present` says; none for no edges."""
    files, commits, people = present.files, present.commits, present.people
    authored = [(people[person], commits[sha]) for person, sha in change.authored]
    touched = [(commits[sha], files[path]) for sha, path in change.touched]
    together = [(files[path], files[other], count, weight) for path, other, count, weight in change.together]
    blobs = [
        (len(authored), pack_edges(AUTHORED, (), authored)),
        (len(touched), pack_edges(TOUCHED, (), touched)),
        (len(together), pack_edges(CO_CHANGES, ("count", "weight"), together)),
    ]
    edges = [blob for blob in blobs if blob[0]]
    return [bulk_command(graph.key, begin=False, node_blobs=[], edge_blobs=edges)] if edges else []


def stale_commands(keys: Keys, gone: Sequence[str]) -> list[Command]:
    """The commands by which a run that adds files or removes these says that the history has to be shown anew."""
    return [*delete_command(keys.side(SHOWN), [encode_path(path) for path in gone]), ("DEL", keys.side(SHOWN_AT))]


def _in_parts(graph: Graph, query: str, rows: Sequence[Row] | Sequence[str]) -> Iterable[Command]:
    return (graph.command(query, {"rows": rows[start : start + _ROWS]}) for start in range(0, len(rows), _ROWS))


def _read_parts(graph: Graph, query: str, paths: Sequence[str]) -> Iterator[list[Any]]:
    for start in range(0, len(paths), _PATHS):
        yield from graph.read(query, {"paths": list(paths[start : start + _PATHS])}, timeout_ms=_SLOW_MS)
