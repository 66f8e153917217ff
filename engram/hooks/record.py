"""The journal entry of a tool call of the client."""

from __future__ import annotations

import os

from engram.hooks.bounded import Cut, seen_of_edit
from engram.journal.commit import current_commit
from engram.journal.digest import sha256_hex
from engram.journal.entry import Draft
from engram.journal.log import Journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from engram.hooks.context import HookContext
    from engram.hooks.place import Place
    from engram.journal.entry import JournalEntry

EDITS = ("Edit", "MultiEdit", "Write", "NotebookEdit")
_WAIT_S = 2.0  # for the journal's lock: an append holds it for 0.1 ms, or as long as a busy disk stalls its write
_MAX_HASHED = 16 << 20  # bytes: hashed in 60 ms; a larger file is named without its hash


def journal_call(payload: Mapping[str, Any], context: HookContext, place: Place | None) -> JournalEntry:
    """Append what the model was shown of the call.  Raises JournalError where that cannot be written."""
    tool = context.text("tool_name")
    ok = not context.name.startswith("PostToolUseFailure")
    response = payload.get("tool_response") if ok else {"error": payload.get("error")}
    cut = Cut()
    args = Cut().copy(payload.get("tool_input"))
    result = cut.copy(seen_of_edit(response) if tool in EDITS else response)
    duration = payload.get("duration_ms")
    worktree = place.worktree if place else context.worktree
    draft = Draft(
        primitive=tool,
        args=args if isinstance(args, dict) else {},
        ok=ok,
        result=result,
        truncated=cut.truncated,
        files=_hashes(place),
        duration_ms=int(duration) if isinstance(duration, int | float) else 0,
        session=context.session or "unknown",
        agent="/".join([part for part in (context.text("agent_type"), context.agent) if part]) or None,
        commit=current_commit(worktree),
    )
    return Journal(worktree.root, wait_s=_WAIT_S * context.config.patience).append(draft)


def _hashes(place: Place | None) -> dict[str, str]:
    """The file's path and the hash of what it holds now; empty where it cannot be read."""
    if place is None:
        return {}
    try:
        descriptor = os.open(place.whole, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return {}
    try:
        size = os.fstat(descriptor).st_size
        if size > _MAX_HASHED:
            return {}
        with open(descriptor, "rb", closefd=False) as file:
            return {place.path: sha256_hex(file.read(_MAX_HASHED))}
    except OSError:  # a folder, a device
        return {}
    finally:
        os.close(descriptor)
