"""The history part of the graph: the writes that bring it from what it shows to what it should."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from engram.store.bulk import bulk_command, pack_edges, pack_nodes
from engram.store.files import Command, delete_command, encode_path
from engram.store.graph import Graph
from engram.store.schema import AUTHORED, CO_CHANGES, COMMIT, FILE, PERSON, TOUCHED

if TYPE_CHECKING:
    from engram.store.cypher import Parameter
    from engram.store.schema import Keys


# Beside the graph, and swapped with it: path -> digest of the file's history as the graph shows it; and the commit
# whose history it shows, missing where the files have changed since.
SHOWN, SHOWN_AT = "history-shown", "history-at"

_ROWS = 500  # of one write, which keeps the readers of the graph waiting for some 20 ms
_PATHS = 200  # of one read
_SLOW_MS = 20_000
NO_NUMBER = -1

_FILES = f"MATCH (f:{FILE}) RETURN f.path, ID(f)"
_COMMITS = f"MATCH (c:{COMMIT}) RETURN c.sha, ID(c)"
_SOME_COMMITS = f"MATCH (c:{COMMIT}) WHERE c.sha IN $shas RETURN c.sha, ID(c)"
_AUTHORED = f"MATCH (:{PERSON})-[:{AUTHORED}]->(c:{COMMIT}) RETURN ID(c)"  # indegree() takes ten times as long
_PEOPLE = f"MATCH (p:{PERSON}) RETURN p.id, ID(p), p.name"
_TOUCHED = (
    f"UNWIND $paths AS path MATCH (c:{COMMIT})-[:{TOUCHED}]->(f:{FILE} {{path: path}}) RETURN path, collect(c.sha)"
)
_TOGETHER = (
    f"UNWIND $paths AS path MATCH (:{FILE} {{path: path}})-[e:{CO_CHANGES}]->(g:{FILE}) "
    "RETURN path, g.path, e.count, e.weight"
)
_NODES = "MATCH (n) RETURN count(n), max(ID(n))"

# Writes name nodes by the engine's numbers: an index on the ids of 24,000 commits would take 10 MB, as much as all else
# of the history, and to look through them takes 6 ms.  Labels are asked for as well, so that a number that was given
# anew is no other thing.
_CUT_COMMITS = f"UNWIND $rows AS r MATCH (c:{COMMIT}) WHERE ID(c) = r DETACH DELETE c"
_CUT_PEOPLE = f"UNWIND $rows AS r MATCH (p:{PERSON}) WHERE ID(p) = r DETACH DELETE p"
_CUT_EDGES = "UNWIND $rows AS r MATCH (a:{source})-[e:{type}]->(b) WHERE ID(a) = r[0] AND ID(b) = r[1] DELETE e"
CUT_ALL_TOGETHER = f"MATCH (:{FILE})-[e:{CO_CHANGES}]->() DELETE e"  # at most MAX_PARTNERS for each file
_NAME_PEOPLE = f"UNWIND $rows AS r MATCH (p:{PERSON}) WHERE ID(p) = r[0] SET p.name = r[1]"
_NEW_PEOPLE = f"UNWIND $rows AS r CREATE (p:{PERSON} {{id: r[0], email: r[1], name: r[2]}}) RETURN p.id, ID(p)"
_NEW_COMMITS = (
    f"UNWIND $rows AS r CREATE (c:{COMMIT} {{sha: r[0], at: r[1], subject: r[2], files: r[3]}}) RETURN c.sha, ID(c)"
)
_ENDS = "UNWIND $rows AS r MATCH (a:{source}) WHERE ID(a) = r[0] MATCH (b:{target}) WHERE ID(b) = r[1] "
_PUT_AUTHORED = _ENDS.format(source=PERSON, target=COMMIT) + f"MERGE (a)-[:{AUTHORED}]->(b)"
_PUT_TOUCHED = _ENDS.format(source=COMMIT, target=FILE) + f"CREATE (a)-[:{TOUCHED}]->(b)"
_PUT_TOGETHER = (
    _ENDS.format(source=FILE, target=FILE) + f"CREATE (a)-[:{CO_CHANGES} {{count: r[2], weight: r[3]}}]->(b)"
)


class Present(NamedTuple):
    """What the graph holds, each with the engine's number of the node; a commit's may be NO_NUMBER.

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


def read_commit_numbers(graph: Graph, shas: Collection[str] | None = None) -> dict[str, int]:
    """The engine's number of each commit, by its id; those of `shas` where they are given, and maybe of others."""
    if shas is None or len(shas) > _ROWS:
        return dict(graph.read(_COMMITS, timeout_ms=_SLOW_MS))
    return dict(graph.read(_SOME_COMMITS, {"shas": list(shas)}, timeout_ms=_SLOW_MS)) if shas else {}


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


def cut_commands(graph: Graph, change: Change, present: Present) -> Iterator[Command]:
    """The commands that remove, each a bounded write of its own."""
    files, commits, people = present.files, present.commits, present.people
    cut_together = _CUT_EDGES.format(source=FILE, type=CO_CHANGES)
    cut_touched = _CUT_EDGES.format(source=COMMIT, type=TOUCHED)
    yield from _in_parts(graph, cut_together, _numbered(change.cut_together, files, files))
    yield from _in_parts(graph, cut_touched, _numbered(change.cut_touched, commits, files))
    yield from _in_parts(graph, _CUT_COMMITS, [commits[sha] for sha in change.cut_commits if sha in commits])
    yield from _in_parts(graph, _CUT_PEOPLE, [people[name] for name in change.cut_people])


def name_commands(graph: Graph, change: Change, present: Present) -> Iterator[Command]:
    """The commands that give people who are there their new names."""
    rows = [(present.people[person], name) for person, _, name in change.people if person in present.people]
    yield from _in_parts(graph, _NAME_PEOPLE, rows)


def people_commands(graph: Graph, change: Change, present: Present) -> Iterator[Command]:
    """The commands that add the people who are not there; their replies have (id, number)."""
    yield from _in_parts(graph, _NEW_PEOPLE, [row for row in change.people if row[0] not in present.people])


def commit_commands(graph: Graph, change: Change, present: Present) -> Iterator[Command]:
    """The commands that add the commits that are not there; their replies have (id, number)."""
    yield from _in_parts(graph, _NEW_COMMITS, [row for row in change.commits if row[0] not in present.commits])


def edge_commands(graph: Graph, change: Change, present: Present) -> Iterator[Command]:
    """The commands that add the edges, each a bounded write of its own, while the nodes are as `present` says."""
    files, commits, people = present.files, present.commits, present.people
    yield from _in_parts(graph, _PUT_AUTHORED, _numbered(change.authored, people, commits))
    yield from _in_parts(graph, _PUT_TOUCHED, _numbered(change.touched, commits, files))
    yield from _in_parts(graph, _PUT_TOGETHER, _numbered(change.together, files, files))


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
    authored = _numbered(change.authored, people, commits)
    touched = _numbered(change.touched, commits, files)
    together = _numbered(change.together, files, files)
    blobs = [
        (len(authored), pack_edges(AUTHORED, (), authored)),
        (len(touched), pack_edges(TOUCHED, (), touched)),
        (len(together), pack_edges(CO_CHANGES, ("count", "weight"), together)),
    ]
    edges = [blob for blob in blobs if blob[0]]
    return [bulk_command(graph.key, begin=False, node_blobs=[], edge_blobs=edges)] if edges else []


def _numbered(
    edges: Sequence[tuple[Any, ...]], sources: Mapping[str, int], targets: Mapping[str, int]
) -> list[tuple[Any, ...]]:
    """The edges with the engine's numbers for their ends; one whose end is not there any more is left out."""
    return [(sources[one[0]], targets[one[1]], *one[2:]) for one in edges if one[0] in sources and one[1] in targets]


def stale_commands(keys: Keys, gone: Sequence[str]) -> list[Command]:
    """The commands by which a run that adds files or removes these says that the history has to be shown anew."""
    return [*delete_command(keys.side(SHOWN), [encode_path(path) for path in gone]), ("DEL", keys.side(SHOWN_AT))]


def _in_parts(graph: Graph, query: str, rows: Sequence[Parameter]) -> Iterable[Command]:
    return (graph.command(query, {"rows": rows[start : start + _ROWS]}) for start in range(0, len(rows), _ROWS))


def _read_parts(graph: Graph, query: str, paths: Sequence[str]) -> Iterator[list[Any]]:
    for start in range(0, len(paths), _PATHS):
        yield from graph.read(query, {"paths": list(paths[start : start + _PATHS])}, timeout_ms=_SLOW_MS)
