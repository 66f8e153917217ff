"""PreToolUse on Agent: ranks the prompt of a subagent that is about to start, and keeps the map for it."""

from __future__ import annotations

import time

from engram.orient.map import find_map
from engram.render.map import render_map
from engram.store.session import NOTHING, SessionNotes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from engram.hooks.context import HookContext, Reply

SHORTER = 3  # places: a subagent has a narrower task than the session
REQUEST = "ENGRAM-RECURSE-REQUEST"  # the marker that `engram recurse` puts before a request (primitives/recurse.py)
RECURSE_AGENT = "engram:recurse"


def handle(payload: Mapping[str, Any], context: HookContext) -> Reply | None:
    """Says nothing; what was kept is handed over at SubagentStart."""
    given = payload.get("tool_input")
    prompt = given.get("prompt") if isinstance(given, dict) else None
    call_id = context.text("tool_use_id")
    if not isinstance(prompt, str) or not call_id:
        return None
    if isinstance(given, dict) and given.get("subagent_type") == RECURSE_AGENT:
        return None  # such a subagent is known by its type when it starts
    notes = SessionNotes(context.connect(), context.keys, context.session)
    if REQUEST in prompt:
        notes.open_agent(call_id, NOTHING, time.time())
        return None
    found = find_map(context.connect(), context.keys, context.worktree.root, prompt, limit=SHORTER)
    useful = found.confidence != "low" and (found.locations or found.files)
    notes.open_agent(call_id, render_map(found) if useful else "", time.time())
    return None
