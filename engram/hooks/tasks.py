"""The client's list of tasks: what is open is kept, because a compaction may lose it."""

from __future__ import annotations

from engram.store.session import SessionNotes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from engram.hooks.context import HookContext, Reply

_MAX_SUBJECT = 200
_MAX_TASKS = 50


def handle(payload: Mapping[str, Any], context: HookContext) -> Reply | None:
    """Says nothing.  One event tells of one task, TodoWrite of all of them."""
    notes = SessionNotes(context.connect(), context.keys, context.session)
    task, subject = context.text("task_id"), context.text("task_subject")
    if context.name == "TaskCreated" and task and subject:
        notes.note_task(task, subject[:_MAX_SUBJECT])
    elif context.name == "TaskCompleted" and task:
        notes.close_task(task)
    elif context.name == "PostToolUse":
        given = payload.get("tool_input")
        listed = given.get("todos") if isinstance(given, dict) else None
        notes.set_tasks(_open_subjects(listed if isinstance(listed, list) else []))
    return None


def _open_subjects(listed: list[Any]) -> list[str]:
    tasks = [task for task in listed if isinstance(task, dict) and task.get("status") != "completed"]
    subjects = [task["content"] for task in tasks if isinstance(task.get("content"), str)]
    return [subject[:_MAX_SUBJECT] for subject in subjects if subject][:_MAX_TASKS]
