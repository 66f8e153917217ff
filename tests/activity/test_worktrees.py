"""Claims and edits seen from the other worktrees of a repository: told, and never in the way."""

from __future__ import annotations

import os

import pytest

from engram.activity.claims import claimant
from engram.engine import Engram
from engram.store.claims import claim_file
from engram.store.keys import graph_keys
from engram.worktree import find_worktree
from tests.activity.session import Session
from tests.hooks.runner import settle
from tests.ingest.checkout import git


@pytest.fixture
def other(shop, server, tmp_path):
    """A session in a second worktree of the repository, both of which know each other since they were indexed.

    The first one was indexed, and followed, before there was a commit to know the repository by.
    """
    with Engram.open(server, str(shop.root)) as engram:
        engram.sync()
        engram.follow(unasked=True)
    shop.write("own.txt", str(tmp_path))  # the first commit names a repository, and these have equal dates
    shop.commit()
    git(shop.root, "worktree", "add", "-q", str(tmp_path / "second"))
    for root in (shop.root, tmp_path / "second"):
        with Engram.open(server, str(root)) as engram:
            engram.sync()
            engram.refine()  # what an index starts in the background
    return Session(tmp_path / "second", server.home, "other")


def test_another_worktree_sees_a_claim_and_is_not_blocked(open_session, shop, server, other):
    assert open_session("one").before_edit("prices.py") == ""
    assert other.before_edit("prices.py") == ""
    with Engram.open(server, str(other.root)) as engram:
        assert [(claim.path, claim.session, claim.checkout) for claim in engram.claims()] == [
            ("prices.py", "other", str(other.root)),
            ("prices.py", "one", str(shop.root)),
        ]
    note = other.edit("prices.py", "    return total\n", "    return total + 1\n")
    assert note.startswith("[engram] prices.py changed. order_total is called at checkout.py:5, ")
    assert f"Also being edited in {shop.root} by Claude Code one (since " in note
    assert len(note) <= 400
    card = other.send("SessionStart", source="startup")["additionalContext"]
    assert f"Being edited in {shop.root}: prices.py by Claude Code one (since " in card
    assert settle(server.home, str(other.root))
    other.settle()


def test_a_session_that_edits_in_another_worktree_claims_there(open_session, shop, server, other):
    one = open_session("one")
    path = str(other.root / "prices.py")
    assert one.before_edit(path) == ""
    assert "Claude Code one" in other.before_edit("prices.py")
    assert open_session("two").before_edit("prices.py") == ""
    one.send("SessionEnd", reason="other")
    assert other.before_edit("prices.py") == ""
    one.settle()


def test_a_clone_on_another_machine_is_seen(shop, server, other, tmp_path):
    clone = tmp_path / "clone"
    git(shop.root, "clone", "-q", str(shop.root), str(clone))
    with Engram.open(server, str(clone)) as engram:
        engram.follow(unasked=True)
        who, keys = claimant("far", os.getpid()), graph_keys(server, find_worktree(str(clone)))
        claim_file(engram.connection, keys, who.replace(host="another"), "prices.py", "/far", lasts_ms=900_000)
    assert other.before_edit("prices.py") == ""
    with Engram.open(server, str(other.root)) as engram:
        assert ("prices.py", "far", "/far") in [(one.path, one.session, one.checkout) for one in engram.claims()]
