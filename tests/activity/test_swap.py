"""Two sessions go on editing while the index is rebuilt under them: nothing they do is lost, and no claim is."""

from __future__ import annotations

import os
import threading

from engram.activity.claims import claimant
from engram.activity.folding import EDITED, READ, Folded, Stint, Touch
from engram.store.activity import list_sessions, put_folded
from engram.store.claims import claim_file, open_claims
from engram.store.keys import graph_keys
from engram.store.server import open_connection
from engram.worktree import find_worktree
from tests.patience import wait_until

_LONG_MS = 900_000
_REBUILDS = 6


def test_rebuilds_lose_neither_claims_nor_counts(shop, server):
    keys = graph_keys(server, find_worktree(str(shop.root)))
    stop = threading.Event()
    done = {"one": 0, "two": 0}
    wrong = []

    def work(session, mine, theirs):
        with open_connection(server) as own:
            who = claimant(session, os.getpid())
            claim_file(own, keys, who, mine, "", lasts_ms=_LONG_MS)
            ready.wait()
            while not stop.is_set():
                number = done[session] + 1
                if claim_file(own, keys, who, mine, "", lasts_ms=_LONG_MS) is not None:
                    wrong.append((session, "lost its own"))
                if claim_file(own, keys, who, theirs, "", lasts_ms=_LONG_MS) is None:
                    wrong.append((session, "got the other's"))
                touches = (Touch(session, mine, EDITED, 1, number), Touch(session, "gone.py", READ, 2, number))
                put_folded(own, keys, Folded((Stint("a", session, 1, number),), touches, (), False, number))
                done[session] = number

    ready = threading.Barrier(3)
    sessions = [
        threading.Thread(target=work, args=names)
        for names in (("one", "prices.py", "new.py"), ("two", "new.py", "prices.py"))
    ]
    for thread in sessions:
        thread.start()
    ready.wait()
    try:
        for number in range(_REBUILDS):
            before = min(done.values())
            shop.write("new.py", f"x = {number}\n") if number % 2 else (shop.root / "new.py").unlink(missing_ok=True)
            shop.sync(rebuild=True)
            wait_until(lambda before=before: min(done.values()) > before or wrong, "the sessions do not go on")
    finally:
        stop.set()
        for thread in sessions:
            thread.join()
    assert wrong == []
    for record in list_sessions(shop.connection, keys, limit=5, files=5):
        assert [file.count for file in record.edited] == [done[record.id]]
        assert [(file.path, file.count) for file in record.read] == [("gone.py", 2 * done[record.id])]
    held = [(claim.path, claim.session) for claim in open_claims(shop.connection, keys, lasts_ms=_LONG_MS)]
    assert held == [("new.py", "two"), ("prices.py", "one")]
