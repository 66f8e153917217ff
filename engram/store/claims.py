"""Claims in the graph: who is editing which file.  Read by hooks, so nothing slow is imported here.

`(:Session)-[:CLAIMS {path, since, at, checkout, host, pid, started}]->(:File)`; a file that is not in the graph (yet)
is claimed at its `Gone` node, from which an update moves the claim to the file.  The engine runs the writes to one
graph one by one, so of two who ask in the same instant exactly one finds the file free.
"""

from __future__ import annotations

from engram.activity.claims import Claim, Claimant
from engram.errors import NotIndexed
from engram.store.graph import Graph, rows
from engram.store.schema import FILE, GONE, SESSION
from engram.store.swap import write_activity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from engram.store.cypher import Parameter
    from engram.store.schema import Keys
    from engram.store.wire import Connection

_PATIENCE_S = 0.3  # a swap's gate holds longer where much was done; the swap copies a claim that comes through

_FIELDS = ("path", "since", "at", "checkout", "host", "pid", "started")
_ROW = ", ".join([f"c.{field}" for field in _FIELDS])
_TAKE = (
    "MERGE (s)-[c:CLAIMS]->(t) ON CREATE SET c.since = now SET c.path = $path, c.at = now, "
    "c.checkout = $checkout, c.host = $host, c.pid = $pid, c.started = $started"
)
# What ends a claim ends it here: age, or a process of which the asker knows that it is gone.
_CLAIM = (
    f"MERGE (s:{SESSION} {{id: $session}}) WITH s, timestamp() AS now "
    # without a label: with one, the engine walks all sessions for each edge that the index on its path has found
    "OPTIONAL MATCH (o)-[c:CLAIMS]->() WHERE c.path = $path "
    "WITH s, now, c, o.id AS holder, o.id IS NOT NULL AND o.id <> $session AND c.at >= now - $lasts "
    "AND [c.host, c.pid, c.started] <> $gone AS busy "
    f"WITH s, now, collect(CASE WHEN busy THEN [holder, {_ROW}] END) AS held, "
    "collect(CASE WHEN NOT busy AND holder <> s.id THEN c END) AS ended "
    f"OPTIONAL MATCH (f:{FILE} {{path: $path}}) WITH s, now, held, ended, f "
    "FOREACH (e IN ended | DELETE e) "
    f"FOREACH (t IN CASE WHEN size(held) = 0 AND f IS NOT NULL THEN [f] ELSE [] END | {_TAKE}) "
    f"FOREACH (n IN CASE WHEN size(held) = 0 AND f IS NULL THEN [1] ELSE [] END | "
    f"MERGE (t:{GONE} {{id: $path, was: '{FILE}'}}) {_TAKE}) "
    "RETURN held"
)
_OPEN = (
    f"MATCH (s:{SESSION})-[c:CLAIMS]->() WHERE c.at >= timestamp() - $lasts "
    f"RETURN s.id, {_ROW} ORDER BY c.path LIMIT $limit"
)
_END_SESSION = f"MATCH (s:{SESSION} {{id: $session}})-[c:CLAIMS]->() DELETE c"
_END_PATH = "MATCH (s)-[c:CLAIMS]->() WHERE c.path = $path DELETE c RETURN DISTINCT s.id"
_END_OLD = f"MATCH (s:{SESSION})-[c:CLAIMS]->() WHERE c.at < timestamp() - $lasts DELETE c"
_DROP_GONE = f"MATCH (g:{GONE}) WHERE indegree(g) = 0 DELETE g"
_MANY = 200  # files that a person would ever claim at once, several times over


def claim_file(
    connection: Connection, keys: Keys, who: Claimant, path: str, checkout: str, *, lasts_ms: int
) -> Claim | None:
    """Claim the file, anew or again; returns the claim of another session that stands against it, None if none does.

    A claim whose process was found dead does not stand: it is taken over by a second question.
    """
    gone: list[Parameter] = []
    while True:
        params = {**who.asdict(), "path": path, "checkout": checkout, "lasts": lasts_ms, "gone": gone}
        command = Graph(connection, keys.graph).command(_CLAIM, params)
        [reply] = write_activity(connection, keys, [command], patience_s=_PATIENCE_S)
        [[held]] = rows(reply)
        if not held:
            return None
        found = _claim(held[0])
        known: list[Parameter] = [found.host, found.pid, found.started]
        if not found.is_over or known == gone:
            return found
        gone = known


def open_claims(connection: Connection, keys: Keys, *, lasts_ms: int, limit: int = _MANY) -> list[Claim]:
    """The claims that stand in the checkout, by path, at most `limit`; empty where there is no graph."""
    try:
        found = Graph(connection, keys.graph).read(_OPEN, {"lasts": lasts_ms, "limit": limit})
    except NotIndexed:
        return []
    return [claim for claim in map(_claim, found) if not claim.is_over]


def end_claims(connection: Connection, keys: Keys, session: str) -> None:
    """End all claims of the session in the checkout; nothing happens where there is no graph."""
    graph = Graph(connection, keys.graph)
    if graph.exists():
        write_activity(connection, keys, [graph.command(_END_SESSION, {"session": session})], patience_s=_PATIENCE_S)


def release_path(connection: Connection, keys: Keys, path: str) -> list[str]:
    """End the claims on one file, whoever's; returns the ids of their sessions."""
    graph = Graph(connection, keys.graph)
    if not graph.exists():
        return []
    [reply] = write_activity(connection, keys, [graph.command(_END_PATH, {"path": path})])
    return sorted(row[0] for row in rows(reply))


def tidy_claims(connection: Connection, keys: Keys, *, lasts_ms: int) -> None:
    """Remove the claims that have grown too old, and the nodes of missing files that nothing points at any more."""
    graph = Graph(connection, keys.graph)
    if graph.exists():
        write_activity(connection, keys, [graph.command(_END_OLD, {"lasts": lasts_ms}), graph.command(_DROP_GONE)])


def _claim(row: list[Any]) -> Claim:
    session, path, *rest = row
    return Claim(path, session, *rest)
