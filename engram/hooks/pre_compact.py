"""PreCompact: what the session did so far goes into the graph, for what is said after the compaction."""

from __future__ import annotations

from engram.hooks.worker import start_worker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from engram.hooks.context import HookContext


def handle(_payload: Mapping[str, Any], context: HookContext) -> None:
    """Says nothing: this event has no way to add to the conversation."""
    start_worker(context.config.home, context.worktree)
