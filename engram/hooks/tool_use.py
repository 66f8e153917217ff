"""PostToolUse and PostToolUseFailure: the call is journaled, and what it changed is followed up in the background."""

from __future__ import annotations

from engram.errors import StoreError
from engram.hooks.context import Reply
from engram.hooks.log import log_failure
from engram.hooks.note import edit_note
from engram.hooks.place import find_place
from engram.hooks.record import EDITS, journal_call
from engram.hooks.worker import start_worker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from engram.hooks.context import HookContext

_FOLLOWED = (*EDITS, "Bash")  # what only reads waits in the journal for the next of these, or the session's end


def handle(payload: Mapping[str, Any], context: HookContext) -> Reply | None:
    """After an edit, what else of the code it concerns; else nothing."""
    place = find_place(payload, context.worktree)
    try:
        journal_call(payload, context, place)
    finally:  # a full disk keeps the journal from being written, not the index from being brought up to date
        note = _note(payload, context, place) if place is not None else ""
        if context.text("tool_name") in _FOLLOWED:
            start_worker(context.config.home, place.worktree if place else context.worktree)
    return Reply(context=note) if note else None


def _note(payload: Mapping[str, Any], context: HookContext, place: Any) -> str:
    if (
        context.text("tool_name") not in EDITS
        or not context.name.startswith("PostToolUse")
        or "Failure" in context.name
    ):
        return ""
    try:
        return edit_note(payload, context, place)
    except StoreError as error:  # no server, no index: the worker sees to that
        log_failure(context.config.home, context.name, error)
        return ""
