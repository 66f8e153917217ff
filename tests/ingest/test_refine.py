"""The deeper pass: calls that only the passed arguments explain; done once per state, and never over a newer one."""

from __future__ import annotations

import pytest

from engram.ingest import refine as refining
from engram.ingest.refine import refine_calls
from engram.store.keys import graph_keys
from engram.worktree import find_worktree
from tests.ingest.checkout import Checkout

LIBRARY = """
class Engine:
    def start(self):
        return 1


class Radio:
    def start(self):
        return 2


def launch(machine):
    return machine.start()
"""
TEST = """
from library import Engine, launch


def test_launch():
    assert launch(Engine()) == 1
"""
FOUND = ("library.py#launch", "library.py#Engine.start")


@pytest.fixture
def library(checkout: Checkout) -> Checkout:
    """A function whose parameter only a test gives a type, indexed."""
    checkout.write("library.py", LIBRARY)
    checkout.write("tests/test_library.py", TEST)
    checkout.sync()
    return checkout


def refine(checkout: Checkout) -> int | None:
    worktree = find_worktree(str(checkout.root))
    return refine_calls(checkout.connection, checkout.config, graph_keys(checkout.config, worktree), worktree.root)


def facts_of(checkout: Checkout) -> set[tuple[str, str]]:
    rows = checkout.rows("MATCH (a:Symbol)-[e:CALLS]->(b:Symbol) WHERE e.confidence >= 0.8 RETURN a.id, b.id")
    return {(a, b) for a, b in rows}


def test_what_a_test_passes_tells_whom_a_function_calls(library):
    assert FOUND not in facts_of(library)
    assert refine(library) == 1
    assert FOUND in facts_of(library)


def test_a_state_is_refined_once(library):
    refine(library)
    assert refine(library) is None
    library.write("library.py", LIBRARY + "\n\ndef more():\n    return launch(Radio())\n")
    library.sync()
    assert refine(library) == 1


def test_updates_and_builds_are_refined_to_the_same(library):
    refine(library)
    library.write("library.py", LIBRARY + "\n\ndef more():\n    return launch(Radio())\n")
    library.sync()
    refine(library)
    updated = library.contents()["calls"]
    library.sync(rebuild=True)
    refine(library)
    assert library.contents()["calls"] == updated


def test_a_file_that_changed_since_gives_no_evidence(library):
    library.write("tests/test_library.py", TEST.replace("Engine", "Radio"))
    assert refine(library) == 0
    assert FOUND not in facts_of(library)


def test_a_newer_index_is_left_alone(library, monkeypatch):
    whole = refining.refine

    def slowly(facts, arguments):
        library.write("library.py", LIBRARY.replace("Engine", "Motor"))
        library.sync()
        return whole(facts, arguments)

    monkeypatch.setattr(refining, "refine", slowly)
    before = library.calls
    assert refine(library) is None
    assert not any("Engine" in callee for _, callee in before())


def test_nothing_indexed_is_nothing_to_refine(checkout):
    assert refine(checkout) is None
