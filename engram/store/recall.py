"""What a session concluded: its decisions and lessons.  Read by hooks, so nothing slow is imported here."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram.store.graph import Graph

MAX_FINDINGS = 8
FINDINGS = """
MATCH (s:Session {id: $session})-[e:LEARNED|DECIDED]->(n)
WHERE n.text IS NOT NULL
RETURN CASE type(e) WHEN 'DECIDED' THEN 'Decision' ELSE 'Lesson' END AS kind, n.text ORDER BY kind, n.text LIMIT $most
"""


def find_findings(graph: Graph, session: str) -> list[str]:
    """`Decision: ...` and `Lesson: ...` of the session, decisions first; [] for none.  Raises NotIndexed."""
    rows = graph.read(FINDINGS, {"session": session, "most": MAX_FINDINGS})
    return [f"{kind}: {text}" for kind, text in rows]
