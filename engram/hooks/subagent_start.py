"""SubagentStart: hands the map of its prompt to a subagent, or the session's last one."""

from __future__ import annotations

import time

from engram.hooks.context import Reply
from engram.hooks.dispatch import RECURSE_AGENT
from engram.render.map import shorten_map
from engram.store.session import SessionNotes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from engram.hooks.context import HookContext


def handle(payload: Mapping[str, Any], context: HookContext) -> Reply | None:
    """The map that was kept for the one call that is open; else the session's last map, shorter; None for a recurse."""
    if context.text("agent_type") == RECURSE_AGENT:
        return None
    notes = SessionNotes(context.connect(), context.keys, context.session)
    kept = notes.take_agent(time.time())
    text = shorten_map(notes.last_map()) if kept is None else kept
    return Reply(context=text) if text else None
