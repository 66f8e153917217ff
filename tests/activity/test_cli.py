"""`engram activity` and `engram claims`, as processes."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.activity.session import ROOT, Session


@pytest.fixture
def engram(shop, server):
    """Runs a command in the shop; returns what it prints, or its complaint."""

    def run(*args, code=0, cwd=None):
        ran = subprocess.run(
            [sys.executable, "-m", "engram", *args],
            cwd=cwd or shop.root, env={**Session(shop.root, server.home, "").environ(), "PYTHONPATH": str(ROOT)},
            capture_output=True, text=True,
        )  # fmt: skip
        assert ran.returncode == code, ran.stderr
        return ran.stdout if not code else ran.stderr

    return run


def test_nothing_has_happened_yet(engram):
    assert engram("activity") == "no session has done anything here yet\n"
    assert json.loads(engram("activity", "--json")) == {"sessions": [], "claims": []}
    assert engram("claims") == "no file is being edited\n"
    assert json.loads(engram("claims", "--json")) == []


def test_who_did_what_when(engram, open_session):
    one, two = open_session("5b1c7d1e-one"), open_session("two")
    one.read("prices.py")
    one.before_edit("prices.py")
    one.edit("prices.py", "    return total\n", "    return total + 1\n")
    two.read("checkout.py", agent_id="a1", agent_type="engram:recurse")
    told = json.loads(engram("activity", "--json"))
    second, first = told["sessions"]
    assert (first["id"], first["agents"]) == ("5b1c7d1e-one", ["Claude Code"])
    assert [(file["path"], file["count"]) for file in first["edited"]] == [("prices.py", 1)]
    assert [(file["path"], file["count"]) for file in first["read"]] == [("prices.py", 1)]
    assert first["began"] <= first["read"][0]["at"] <= first["edited"][0]["at"] == first["at"] <= second["at"]
    assert (second["id"], second["agents"]) == ("two", ["Claude Code", "engram:recurse"])
    assert [(claim["path"], claim["session"]) for claim in told["claims"]] == [("prices.py", "5b1c7d1e-one")]
    text = engram("activity")
    assert "  edited  prices.py  1 x, last " in text
    assert "  claims  prices.py since " in text
    assert text.index("two") < text.index("5b1c7d1e-one")
    assert engram("activity", "--limit", "1", "--json").count('"id"') == 1
    one.settle()


def test_a_claim_is_listed_and_released(engram, open_session, shop):
    one, two = open_session("5b1c7d1e-one"), open_session("two")
    one.before_edit("tests/test_prices.py")
    assert engram("claims").startswith("tests/test_prices.py  by Claude Code 5b1c7d1e since ")
    released = engram("claims", "release", "test_prices.py", cwd=shop.root / "tests")
    assert released == "tests/test_prices.py: released from Claude Code 5b1c7d1e\n"
    assert engram("claims", "release", "tests/test_prices.py") == "tests/test_prices.py was not claimed\n"
    assert two.before_edit("tests/test_prices.py") == ""
    assert "release needs the PATH" in engram("claims", "release", code=2)


@pytest.mark.parametrize("args", [("--limit", "0"), ("--files", "-1")])
def test_bounds_are_checked(engram, args):
    assert "must be 1 or more" in engram("activity", *args, code=1)
