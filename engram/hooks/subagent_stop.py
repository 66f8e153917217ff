"""SubagentStop: the last message of a subagent that was asked a recursion request is its answer."""

from __future__ import annotations

from engram.hooks.answers import first_message, take_answer_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from engram.hooks.context import HookContext


def handle(payload: Mapping[str, Any], context: HookContext) -> None:
    """Says nothing.  The event also comes without an agent, when the client compacts."""
    path, answer = context.text("agent_transcript_path"), context.text("last_assistant_message")
    if path and answer and context.text("agent_type"):
        take_answer_in(first_message(path), answer, context)
