"""Which file of which checkout a tool call is about."""

from __future__ import annotations

import os

from engram.errors import NotARepository
from engram.model import Value
from engram.worktree import Worktree, find_worktree, linked_worktrees

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_NAMES = ("file_path", "notebook_path")  # of Read, Edit and Write; of NotebookEdit


class Place(Value):
    """A file by its path in the checkout, whether it exists or not."""

    worktree: Worktree
    path: str

    @property
    def whole(self) -> str:
        """The absolute path."""
        return os.path.join(self.worktree.root, self.path)


def find_place(payload: Mapping[str, Any], own: Worktree) -> Place | None:
    """The file that the call's input names; None where it names none, or one outside of `own` and its worktrees."""
    given = payload.get("tool_input")
    named = [given[name] for name in _NAMES if isinstance(given.get(name), str)] if isinstance(given, dict) else []
    if not named or not named[0] or "\0" in named[0]:
        return None
    real = os.path.realpath(os.path.join(own.root, named[0]))
    folder = os.path.dirname(real)
    while not os.path.isdir(folder):  # Write makes folders
        folder = os.path.dirname(folder)
    try:
        found = find_worktree(folder)
    except NotARepository:
        return None
    if found.root != own.root and not own.git_dir and real.startswith(own.root + "/"):
        found = own  # a folder without git has no marker at its root before anything was kept there
    if found.root != own.root and found.root not in linked_worktrees(own):
        return None
    return Place(found, os.path.relpath(real, found.root))
