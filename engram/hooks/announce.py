"""The one line that says that the environment, which the first hook had made in the background, is there now."""

from __future__ import annotations

import os
import sys

from engram.hooks.context import Reply
from engram.hooks.sync import start_sync

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram.hooks.context import HookContext

READY = "[engram] Ready: orientation, claims and the journal work from now on."
_BASE = "/base/lib/python"  # how bin/engram puts the environment's packages on the import path


def with_announcement(reply: Reply | None, context: HookContext) -> Reply | None:
    """The reply, with the line before it if nobody has said it yet.

    The first index is started then: no session has begun with one.
    """
    if not _take_mark():
        return reply
    start_sync(context)
    said = reply or Reply()
    return said.replace(context="\n".join([READY, said.context] if said.context else [READY]), notice=READY)


def _take_mark() -> bool:
    """Whether this process is the one to say it: the setup has left a mark, and nobody has taken it."""
    for path in sys.path:
        folder, base, _ = path.partition(_BASE)
        if base:
            try:
                os.unlink(os.path.join(folder, "announce"))
            except OSError:
                return False
            return True
    return False
