"""PostToolUse of Agent: the call is journaled, and its result taken in where it answers a recursion request."""

from __future__ import annotations

from engram.errors import StoreError
from engram.hooks.answers import take_answer_in, text_of
from engram.hooks.record import journal_call
from engram.store.session import SessionNotes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from engram.hooks.context import HookContext

_DONE = "completed"  # what the client calls a subagent that it has waited for; one in the background has no answer yet


def handle(payload: Mapping[str, Any], context: HookContext) -> None:
    """Says nothing."""
    _close(context)
    try:
        journal_call(payload, context, None)
    finally:
        given, response = payload.get("tool_input"), payload.get("tool_response")
        if isinstance(given, dict) and isinstance(response, dict) and response.get("status") == _DONE:
            prompt, answer = given.get("prompt"), text_of(response.get("content"))
            if isinstance(prompt, str) and answer:
                take_answer_in(prompt, answer, context)


def _close(context: HookContext) -> None:
    """The map that was kept for this call's subagent is not needed any more."""
    try:
        SessionNotes(context.connect(), context.keys, context.session).close_agent(context.text("tool_use_id"))
    except StoreError:  # without a server nothing was kept for it either
        return
