"""SessionStart after a compaction: what the session had worked out, which the client's summary may have lost."""

from __future__ import annotations

from engram.errors import EngramError
from engram.hooks.context import Reply
from engram.hooks.recall import recall
from engram.hooks.session_start import card_text
from engram.hooks.sync import start_sync
from engram.render.card import render_recap
from engram.store.session import SessionNotes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from engram.hooks.context import HookContext


def handle(payload: Mapping[str, Any], context: HookContext) -> Reply | None:
    """The recap, or the card where there is nothing to recall.  What was shown before may be shown again."""
    syncing = start_sync(context)
    text = render_recap(recall(context)) or card_text(context, syncing=syncing)
    try:
        SessionNotes(context.connect(), context.keys, context.session).forget_shown()
    except EngramError:  # without a server nothing is shown either
        pass
    return Reply(context=text)
