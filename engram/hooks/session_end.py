"""SessionEnd: the session's claims end, and what it did goes into the graph in the background."""

from __future__ import annotations

from engram.hooks.worker import start_worker
from engram.store.claims import end_claims
from engram.store.keys import graph_keys
from engram.worktree import Worktree, linked_worktrees

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from engram.hooks.context import HookContext

_MOST = 20  # worktrees in which claims are looked for: the client gives all its hooks 1.5 s


def handle(_payload: Mapping[str, Any], context: HookContext) -> None:
    """Says nothing.  Where no server runs, nothing is started for it: claims end with the client's process, too."""
    own = context.worktree
    connection = context.connect()
    for root in [own.root, *sorted(linked_worktrees(own) - {own.root})][:_MOST]:
        end_claims(connection, graph_keys(context.config, Worktree(root)), context.session)
    start_worker(context.config.home, own)
