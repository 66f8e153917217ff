"""The whole call graph of a checkout, for those who want to score or draw it."""

from __future__ import annotations

from typing import NamedTuple

from engram.model import Value
from engram.store.graph import Graph
from engram.store.schema import CALLS, SYMBOL

_TIMEOUT_MS = 30_000  # all edges of a large repository; nobody waits for this one interactively


class CallRow(Value):
    """One CALLS edge by names: the same file and qualname twice where a file defines a name twice."""

    caller_path: str
    caller: str
    callee_path: str
    callee: str
    line: int
    confidence: float


_ALL_CALLS = f"""
MATCH (caller:{SYMBOL})-[call:{CALLS}]->(callee:{SYMBOL})
RETURN caller.path, caller.qualname, callee.path, callee.qualname, call.line, call.confidence
ORDER BY caller.path, call.line, caller.qualname, callee.path, callee.qualname
"""

_ALL_KEYS = f"""
MATCH (caller:{SYMBOL})-[call:{CALLS}]->(callee:{SYMBOL})
RETURN caller.path, caller.id, callee.id, call.line, call.confidence
"""


class CallKey(NamedTuple):
    """One CALLS edge by the ids of its symbols."""

    caller: str
    callee: str
    line: int
    confidence: float


def find_call_keys(graph: Graph) -> dict[str, set[CallKey]]:
    """All call edges, by the path of the caller; files without any are not in it."""
    found: dict[str, set[CallKey]] = {}
    for path, caller, callee, line, confidence in graph.read(_ALL_KEYS, timeout_ms=_TIMEOUT_MS):
        found.setdefault(path, set()).add(CallKey(caller, callee, line, confidence))
    return found


def find_all_calls(graph: Graph) -> list[CallRow]:
    """Every call edge by caller's path, line and names; empty if there are none.

    Raises NotIndexed where there is no graph.
    """
    return [CallRow(*row) for row in graph.read(_ALL_CALLS, timeout_ms=_TIMEOUT_MS)]
