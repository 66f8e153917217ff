"""UserPromptSubmit: the map of the prompt, or nothing."""

from __future__ import annotations

import time

from engram.activity.prompted import note_prompt
from engram.errors import JournalError, NotARepository, NotIndexed, SchemaMismatch, ServerUnavailable
from engram.hooks.announce import with_announcement
from engram.hooks.context import Reply
from engram.hooks.log import log_failure
from engram.hooks.sync import start_sync
from engram.hooks.task import asked_text
from engram.orient.map import find_map
from engram.render.map import render_map
from engram.store.progress import read_progress
from engram.store.session import SessionNotes
from engram.store.state import read_state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from engram.hooks.context import HookContext
    from engram.model import Location, Map

MAX_WAIT_S = 3.0  # for a first index that says it will be done by then
_POLL_S = 0.05


def handle(payload: Mapping[str, Any], context: HookContext) -> Reply | None:
    """The places of the prompt that this session was not shown yet; None where confidence is low or nothing is new."""
    _begin_turn(context)
    return with_announcement(_map_reply(context), context)


def _begin_turn(context: HookContext) -> None:
    try:
        note_prompt(context.worktree.root, context.session)
    except NotARepository:  # then nobody has asked anything there either
        return
    except (JournalError, OSError) as error:  # a full disk: the map does not depend on it
        log_failure(context.config.home, context.name, error)


def _map_reply(context: HookContext) -> Reply | None:
    text, explicit = asked_text(context.text("prompt"))
    if not text:
        return None
    found = _map_in_time(context, text)
    if found is None:
        return None
    if found.stale:
        start_sync(context)
    if found.confidence == "low":
        return None
    notes = SessionNotes(context.connect(), context.keys, context.session)
    new = found if explicit else without_shown(found, notes.shown())
    if not new.locations and not new.files:
        return None
    rendered = render_map(new)
    notes.note_map(rendered, [*map(place_name, new.locations), *[file.path for file in new.files if not new.locations]])
    return Reply(context=rendered)


def without_shown(found: Map, shown: set[str]) -> Map:
    """The map without the places in `shown`; without any file where it had places and all of them were shown."""
    if found.locations:
        new = tuple([place for place in found.locations if place_name(place) not in shown])
        return found.replace(locations=new, files=found.files if new else ())
    return found.replace(files=tuple([file for file in found.files if file.path not in shown]))


def place_name(place: Location) -> str:
    """What identifies a place in a session; its lines move with every edit."""
    return f"{place.file}#{place.qualname}"


def _map_in_time(context: HookContext, text: str) -> Map | None:
    """The map; None where there is no index and none will be there soon.  One is started in that case."""
    try:
        if read_state(context.connect(), context.keys) is None and not _wait_for_index(context):
            start_sync(context)
            return None
        return find_map(context.connect(), context.keys, context.worktree.root, text)
    except (ServerUnavailable, NotIndexed, SchemaMismatch):
        start_sync(context)
        return None


def _wait_for_index(context: HookContext) -> bool:
    """Whether the first index is there, after a wait that its own progress has promised to be short."""
    until = time.monotonic() + MAX_WAIT_S * context.config.patience
    while True:
        progress = read_progress(context.connect(), context.keys)
        if read_state(context.connect(), context.keys) is not None:
            return True
        left = progress.seconds_left(time.time()) if progress else None
        if left is None or time.monotonic() + max(left, _POLL_S) > until:
            return False
        time.sleep(_POLL_S)
