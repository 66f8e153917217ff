"""Journal entries into the graph: what the sessions of a checkout did since the last time."""

from __future__ import annotations

from engram.activity.folding import Folded, fold
from engram.journal.entry import JournalEntry
from engram.journal.log import Journal
from engram.store.activity import folded_to, put_folded
from engram.store.schema import Keys
from engram.store.wire import Connection


def read_news(connection: Connection, keys: Keys, root: str) -> Folded:
    """What the journal says beyond what the graph tells of; `last` is 0 where it says nothing new."""
    known = folded_to(connection, keys)
    news: list[JournalEntry] = []
    for entry in Journal.open(root).entries(newest_first=True):
        if not news and entry.seq < known:
            known = 0  # the journal was removed and began anew
        if entry.seq <= known:
            break
        news.append(entry)
    return fold(news, root)


def take_in(connection: Connection, keys: Keys, news: Folded) -> None:
    """Write what `read_news` found."""
    if news.last:
        put_folded(connection, keys, news)
