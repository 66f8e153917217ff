"""What changes together with a file.  Read by hooks, so nothing slow is imported here."""

from __future__ import annotations

from engram.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram.store.graph import Graph

CO_CHANGES_OF = (
    "MATCH (:File {path: $path})-[e:CO_CHANGES]->(g:File) RETURN g.path, e.count, e.weight "
    "ORDER BY e.weight DESC, g.path LIMIT $limit"
)


class CoChange(Value):
    """A file that changed together with another in `count` commits; `weight` as in `history.cochange`."""

    path: str
    count: int
    weight: float


def find_co_changes(graph: Graph, path: str, *, limit: int) -> list[CoChange]:
    """What changes together with the file, the strongest first, at most `limit`; empty for a file without history."""
    return [CoChange(*row) for row in graph.read(CO_CHANGES_OF, {"path": path, "limit": limit})]
