"""What sessions did, in the graph: taking it in, and reading it.  Read by hooks, so nothing slow is imported here."""

from __future__ import annotations

from engram.errors import NotIndexed
from engram.model import Value
from engram.store.carry import make_activity_indexes
from engram.store.graph import Graph, rows
from engram.store.schema import AGENT, FILE, GONE, SESSION
from engram.store.swap import write_activity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from engram.activity.folding import Folded
    from engram.store.cypher import Parameter
    from engram.store.schema import Keys
    from engram.store.wire import Connection, Part

    type Row = Sequence[Parameter]

_FOLDED = "folded"  # beside the graph: the number of the last journal entry that the graph tells of
_BATCH = 1000
_READ_MS = 2000

_PUT_STINTS = (
    f"UNWIND $rows AS r MERGE (a:{AGENT} {{id: r[0]}}) MERGE (s:{SESSION} {{id: r[1]}}) MERGE (a)-[:RAN]->(s) "
    "SET s.began = CASE WHEN s.began < r[2] THEN s.began ELSE r[2] END, "
    "s.at = CASE WHEN s.at > r[3] THEN s.at ELSE r[3] END"
)
_COUNT = (
    "MERGE (s)-[e:{kind}]->(t) SET e.count = coalesce(e.count, 0) + r[2], "
    "e.at = CASE WHEN e.at > r[3] THEN e.at ELSE r[3] END"
)
_TOUCH_FILES = f"UNWIND $rows AS r MATCH (s:{SESSION} {{{{id: r[0]}}}}) MATCH (t:{FILE} {{{{path: r[1]}}}}) {_COUNT}"
_TOUCH_GONE = (
    f"UNWIND $rows AS r OPTIONAL MATCH (f:{FILE} {{{{path: r[1]}}}}) WITH r, f WHERE f IS NULL "
    f"MERGE (t:{GONE} {{{{id: r[1], was: '{FILE}'}}}}) WITH r, t MATCH (s:{SESSION} {{{{id: r[0]}}}}) {_COUNT}"
)
_SESSIONS = (
    f"MATCH (a:{AGENT})-[:RAN]->(s:{SESSION}) WITH s, collect(a.id) AS agents "
    "RETURN s.id, agents, s.began, s.at ORDER BY s.at DESC, s.id LIMIT $limit"
)
_TOUCHES = (
    f"MATCH (s:{SESSION} {{id: $session}})-[e:READ|EDITED]->(f) "
    "RETURN type(e), coalesce(f.path, f.id) AS path, e.count, e.at ORDER BY e.at DESC, path LIMIT $limit"
)


class Touched(Value):
    """A file that a session read or edited: how often, and when last (epoch milliseconds)."""

    path: str
    count: int
    at: int


class SessionRecord(Value):
    """One session: the kinds of agents in it, when it began and last did something (epoch ms), the last files first."""

    id: str
    agents: tuple[str, ...]
    began: int
    at: int
    read: tuple[Touched, ...] = ()
    edited: tuple[Touched, ...] = ()


def folded_to(connection: Connection, keys: Keys) -> int:
    """The number of the last journal entry that the graph tells of; 0 before the first."""
    return int(connection.call("GET", keys.side(_FOLDED)) or 0)


def put_folded(connection: Connection, keys: Keys, folded: Folded) -> None:
    """Add what journal entries say to the graph, and remember that, as one."""
    graph = Graph(connection, keys.graph)
    make_activity_indexes(graph)  # without them, a journal of a year would be folded for minutes
    stints: list[Row] = [list(stint.astuple()) for stint in folded.stints]
    commands: list[tuple[Part, ...]] = []
    for start in range(0, len(stints), _BATCH):
        commands.append(graph.command(_PUT_STINTS, {"rows": stints[start : start + _BATCH]}))
    for kind in ("READ", "EDITED"):
        touched: list[Row] = [[one.session, one.path, one.count, one.at] for one in folded.touches if one.kind == kind]
        for start in range(0, len(touched), _BATCH):
            batch = touched[start : start + _BATCH]
            commands += [
                graph.command(query.format(kind=kind), {"rows": batch}) for query in (_TOUCH_FILES, _TOUCH_GONE)
            ]
    commands.append(("SET", keys.side(_FOLDED), folded.last))
    write_activity(connection, keys, commands)


def list_sessions(connection: Connection, keys: Keys, *, limit: int, files: int) -> list[SessionRecord]:
    """The last sessions first, at most `limit`, each with at most `files` files; empty where there is no graph."""
    graph = Graph(connection, keys.graph)
    try:
        found = graph.read(_SESSIONS, {"limit": limit}, timeout_ms=_READ_MS)
    except NotIndexed:
        return []
    asked = [graph.read_command(_TOUCHES, {"session": row[0], "limit": files}, timeout_ms=_READ_MS) for row in found]
    records = []
    for (name, agents, began, at), reply in zip(found, connection.pipeline(asked), strict=True):
        touched = rows(reply)
        kinds = [tuple([Touched(*rest) for kind, *rest in touched if kind == wanted]) for wanted in ("READ", "EDITED")]
        records.append(SessionRecord(name, tuple(sorted(agents)), began, at, *kinds))
    return records
