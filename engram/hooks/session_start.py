"""SessionStart: starts the server and a sync, and says what the repository is."""

from __future__ import annotations

import os
import time

from engram.errors import EngramError
from engram.hooks.announce import with_announcement
from engram.hooks.context import Reply
from engram.hooks.sync import start_sync
from engram.hooks.test_command import find_test_command
from engram.journal.commit import current_branch
from engram.render.card import Card, render_card
from engram.render.claims import claim_line
from engram.store.claims import open_claims
from engram.store.core import read_core
from engram.store.progress import read_progress
from engram.store.repositories import claims_elsewhere
from engram.store.state import read_state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from engram.hooks.context import HookContext


def handle(payload: Mapping[str, Any], context: HookContext) -> Reply | None:
    """The card.  The process that was started is not waited for."""
    text = card_text(context, syncing=start_sync(context))
    return with_announcement(Reply(context=text), context)


def card_text(context: HookContext, *, syncing: bool) -> str:
    """The card of the checkout as far as it is known; "" where there is no index, and none is being made."""
    root = context.worktree.root
    card = Card(
        name=os.path.basename(root),
        branch=current_branch(context.worktree),
        index="the index is being made",
        test_command=find_test_command(root),
    )
    try:
        return render_card(_with_index(context, card))
    except EngramError:  # no server yet: the sync brings it
        return render_card(card) if syncing else ""


def _with_index(context: HookContext, card: Card) -> Card:
    """The card with what the server tells."""
    connection, root = context.connect(), context.worktree.root
    state = read_state(connection, context.keys)
    if state is None:
        progress = read_progress(connection, context.keys)
        done = f" ({100 * progress.done // max(1, progress.total)} % read)" if progress else ""
        return card.replace(index=card.index + done)
    core = [file for file in read_core(connection, context.keys) if os.path.isfile(os.path.join(root, file.path))]
    lasts_ms = context.config.claim_ms
    claims = open_claims(connection, context.keys, lasts_ms=lasts_ms)
    claims += claims_elsewhere(connection, context.keys, lasts_ms=lasts_ms)
    edited = [claim_line(claim, root) for claim in claims if claim.session != context.session]
    return card.replace(index=f"indexed {_ago(time.time() - state.indexed_at / 1000)}", core=core, edited=edited)


def _ago(seconds: float) -> str:
    """How long ago, in the largest unit; a time to come is now, as clocks are set back."""
    for size, unit in ((86_400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= size:
            number = int(seconds // size)
            return f"{number} {unit}{'s' if number > 1 else ''} ago"
    return "just now"
