"""PreToolUse on Agent: ranks the prompt of a subagent that is about to start, and keeps the map for it."""

from __future__ import annotations

import time

from engram.hooks.context import Reply
from engram.journal.jsonlight import dumps
from engram.orient.map import find_map
from engram.render.map import render_map
from engram.store.session import NOTHING, SessionNotes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from engram.hooks.context import HookContext

SHORTER = 3  # places: a subagent has a narrower task than the session
REQUEST = "ENGRAM-RECURSE-REQUEST"  # the marker that `engram recurse` puts before a request (primitives/recurse.py)
RECURSE_AGENT = "engram:recurse"


def handle(payload: Mapping[str, Any], context: HookContext) -> Reply | None:
    """Says nothing; what was kept is handed over at SubagentStart.  A recurse request is waited for."""
    given = payload.get("tool_input")
    if not isinstance(given, dict):
        return None
    prompt = given.get("prompt")
    call_id = context.text("tool_use_id")
    if not isinstance(prompt, str) or not call_id:
        return None
    if given.get("subagent_type") == RECURSE_AGENT:  # such a subagent is known by its type when it starts
        return in_foreground(given)
    notes = SessionNotes(context.connect(), context.keys, context.session)
    if REQUEST in prompt:
        notes.open_agent(call_id, NOTHING, time.time())
        return None
    found = find_map(context.connect(), context.keys, context.worktree.root, prompt, limit=SHORTER)
    useful = found.confidence != "low" and (found.locations or found.files)
    notes.open_agent(call_id, render_map(found) if useful else "", time.time())
    return None


def in_foreground(given: Mapping[str, Any]) -> Reply | None:
    """The same call, waited for: the answers of subagents in the background arrive in another turn, in which the
    command that asked has no permission any more (seen with 2.1.197 and 2.1.332).
    """
    if given.get("run_in_background") is False:
        return None
    return Reply(input=dumps({**given, "run_in_background": False}))
