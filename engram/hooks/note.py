"""What an edit concerns elsewhere, told once.

The graph is asked before the edit is taken into it, so its lines are those of the file before the edit.
"""

from __future__ import annotations

from engram.journal.digest import sha256_hex
from engram.orient.tests import choose_tests, test_names
from engram.paths import stem_of
from engram.render.note import note_text
from engram.store.graph import Graph
from engram.store.impact import NOTHING, find_impact, indexed_hash
from engram.store.keys import graph_keys
from engram.store.repositories import claims_elsewhere

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from engram.hooks.context import HookContext
    from engram.hooks.place import Place
    from engram.store.impact import Impact
    from engram.store.schema import Keys
    from engram.store.wire import Connection

_REMEMBERED_S = 86_400  # a session that goes on for longer may be told again


def edit_note(payload: Mapping[str, Any], context: HookContext, place: Place) -> str:
    """The note; "" where there is nothing to say, or it was said in this session.  Raises StoreError."""
    connection = context.connect()
    keys = graph_keys(context.config, place.worktree)
    response = payload.get("tool_response")
    impact = _impact(Graph(connection, keys.graph), place.path, response if isinstance(response, dict) else {})
    elsewhere = claims_elsewhere(connection, keys, lasts_ms=context.config.claim_ms)
    claims = [claim for claim in elsewhere if claim.path == place.path and claim.session != context.session]
    text = note_text(place.path, impact, _tests(impact), claims)
    return text if text and _is_new(connection, keys, context.session, text) else ""


def changed_lines(patch: object) -> set[int]:
    """The lines of the old file that a `structuredPatch` changes; an insertion counts for the line above it."""
    lines: set[int] = set()
    for hunk in patch if isinstance(patch, list) else []:
        at = hunk.get("oldStart") if isinstance(hunk, dict) else None
        content = hunk.get("lines") if isinstance(hunk, dict) else None
        if not isinstance(at, int) or not isinstance(content, list):
            continue
        for line in content:
            mark = line[:1] if isinstance(line, str) else ""
            if mark == "-":
                lines.add(at)
            elif mark == "+" and at - 1 not in lines:
                lines.add(at - 1)
            at += mark in ("-", " ")
    return lines


def _impact(graph: Graph, path: str, response: Mapping[str, Any]) -> Impact:
    """Nothing where the index has another version of the file than the one that was edited: lines would not fit."""
    original = response.get("originalFile")
    lines = changed_lines(response.get("structuredPatch"))
    if not lines or not isinstance(original, str):
        return NOTHING
    was = sha256_hex(original.encode("utf-8", "surrogatepass"))
    return find_impact(graph, path, lines) if indexed_hash(graph, path) == was else NOTHING


def _tests(impact: Impact) -> tuple[str, ...]:
    places = impact.symbols
    if not places:
        return ()
    numbers = {symbol.id: number for number, symbol in enumerate(places)}
    names = set(test_names(places))
    return choose_tests(
        places,
        dict(enumerate(places)),
        [(site.path, numbers[site.callee]) for site in impact.sites],
        [(path, places[0].path) for path in impact.importers],
        [path for path in impact.importers if stem_of(path) in names],
    )


def _is_new(connection: Connection, keys: Keys, session: str, text: str) -> bool:
    told = keys.side(f"told:{session}")
    new, _ = connection.pipeline([("SADD", told, sha256_hex(text.encode())[:16]), ("EXPIRE", told, _REMEMBERED_S)])
    return bool(new == 1)
