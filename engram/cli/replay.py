"""`engram journal replay`."""

from __future__ import annotations

import argparse

from engram.cli.journal import entries_since
from engram.errors import InvalidArgument
from engram.journal.jsonlight import dumps
from engram.journal.log import Journal
from engram.journal.replay import replay
from engram.primitives.registry import REPLAYABLE
from engram.render import journal as render


def run(options: argparse.Namespace, journal: Journal) -> int:
    """Run entries again and print, one line each, whether their results still hold."""
    if not options.ids and not options.since:
        raise InvalidArgument("nothing to replay", "name entries by their ids, or all from a time on with --since")
    entries = [journal.find(entry_id) for entry_id in options.ids]
    entries += list(entries_since(options, journal)) if options.since else []
    for entry in entries:
        replayed = replay(journal.root, entry, REPLAYABLE)
        print(dumps(render.replayed_wire(replayed)) if options.json else render.replayed_line(replayed), flush=True)
    return 0
