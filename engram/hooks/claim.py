"""PreToolUse of Edit, Write, NotebookEdit: the session claims the file, or is told who has claimed it."""

from __future__ import annotations

import os

from engram.activity.claims import claimant
from engram.hooks.context import Reply
from engram.hooks.place import find_place
from engram.render.claims import denial
from engram.store.claims import claim_file
from engram.store.keys import graph_keys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from engram.hooks.context import HookContext


def handle(payload: Mapping[str, Any], context: HookContext) -> Reply | None:
    """A denial where another session of the checkout is editing the file; else nothing, and the file is claimed.

    The parent of a hook's process is the client itself (the launcher replaces itself), which the claim lives with.
    """
    place = find_place(payload, context.worktree)
    if place is None or not context.session:
        return None
    who = claimant(context.session, os.getppid())
    keys = graph_keys(context.config, place.worktree)
    lasts_ms = context.config.claim_ms
    held = claim_file(context.connect(), keys, who, place.path, place.worktree.root, lasts_ms=lasts_ms)
    return None if held is None else Reply(deny=denial(held))
