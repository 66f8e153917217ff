"""What is said after an edit stays short, and is about the lines that changed."""

from __future__ import annotations

import difflib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engram.activity.claims import Claim
from engram.hooks.bounded import ROOM, Cut
from engram.hooks.note import changed_lines
from engram.model import Symbol
from engram.render.note import MAX_NOTE, note_text
from engram.store.impact import NOTHING, Impact, Site

names = st.text(st.characters(min_codepoint=33, max_codepoint=0x2FF), min_size=1, max_size=200)
texts = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "def f():\n"]), max_size=12)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=5),
    max_leaves=20,
)


@given(
    names, st.lists(st.tuples(names, st.lists(st.tuples(names, st.integers(1, 10**6)), max_size=9)), max_size=4), names
)
def test_a_note_is_short_whatever_there_is_to_say(path, called, checkout):
    symbols = tuple(
        [Symbol(f"{path}#{number}", "n", name, "function", path, 1, 2) for number, (name, _) in enumerate(called)]
    )
    sites = tuple([Site(f"{path}#{n}", *where) for n, (_, found) in enumerate(called) for where in found])
    claim = Claim(path, "session", 0, 0, checkout, "h", 0, "")
    tests = [where for site in sites for where in [site.path]][:3]
    partners = tuple([where for where, _ in called])
    assert len(note_text(path, Impact(symbols, sites, (), partners), tests, [claim])) <= MAX_NOTE


def test_with_nothing_to_say_nothing_is_said():
    lonely = Impact((Symbol("a#f", "f", "f", "function", "a", 1, 2),), (), ("b.py",))
    assert note_text("a", lonely, [], []) == ""
    assert note_text("a", NOTHING, [], []) == ""


def test_the_calls_that_do_not_fit_are_counted():
    symbol = Symbol("a.py#f", "f", "f", "function", "a.py", 1, 2)
    sites = tuple([Site("a.py#f", f"b{number}.py", number) for number in range(1, 21)])
    text = note_text("a.py", Impact((symbol,), sites, ()), ["tests/test_a.py"], [])
    listed = ", ".join([f"b{number}.py:{number}" for number in range(1, 7)])
    assert text == f"[engram] a.py changed. f is called at {listed} and 14 more. Tests: tests/test_a.py."


def test_what_changes_with_the_file_is_named_but_no_test_twice():
    symbol = Symbol("a.py#f", "f", "f", "function", "a.py", 1, 2)
    partners = ("b.py", "tests/test_a.py", "c.py", "d.py", "e.py")
    text = note_text("a.py", Impact((symbol,), (Site("a.py#f", "b.py", 7),), (), partners), ["tests/test_a.py"], [])
    expected = "f is called at b.py:7. Changes with it: b.py, c.py, d.py. Tests: tests/test_a.py."
    assert text == f"[engram] a.py changed. {expected}"
    assert note_text("a.py", Impact((), (), (), ("b.py",)), [], []) == "[engram] a.py changed. Changes with it: b.py."


@given(texts, texts, st.integers(0, 3))
def test_the_changed_lines_are_those_of_the_old_text(old, new, context):
    removed = set()
    touched = set()
    for tag, start, end, *_ in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag in ("replace", "delete"):
            removed.update(range(start + 1, end + 1))
        if tag == "insert":
            touched.add(start)
    found = changed_lines(_patch(old, new, context))
    assert removed <= found <= removed | touched | {number - 1 for number in removed}
    assert bool(found) == (old != new)


@pytest.mark.parametrize("patch", [None, 7, "x", [None], [{}], [{"oldStart": "1", "lines": []}], [{"oldStart": 1}]])
def test_a_patch_of_another_form_changes_nothing(patch):
    assert changed_lines(patch) == set()


@settings(max_examples=50)
@given(json_values)
def test_what_fits_is_copied_whole(value):
    cut = Cut()
    assert cut.copy(value) == value
    assert not cut.truncated


@settings(max_examples=50)
@given(json_values, st.integers(0, 60))
def test_what_does_not_fit_is_cut_and_said_to_be(value, room):
    cut = Cut(room)
    copied = cut.copy(value)
    assert _characters(copied) <= room
    assert cut.truncated or copied == value


def test_depth_and_length_have_bounds():
    deep: list[object] = []
    for _ in range(100):
        deep = [deep]
    cut = Cut()
    cut.copy({"deep": deep, "long": ["x"] * 10**6})
    assert cut.truncated
    assert cut.room > ROOM - 1000


def _characters(value):
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict):
        return sum(len(name) + _characters(item) for name, item in value.items())
    return sum(map(_characters, value)) if isinstance(value, list) else 0


def _patch(old, new, context):
    """The hunks as the client gives them."""
    hunks = []
    for group in difflib.SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(context):
        lines = []
        for tag, start, end, new_start, new_end in group:
            if tag == "equal":
                lines += [f" {line}" for line in old[start:end]]
            else:
                lines += [f"-{line}" for line in old[start:end]] + [f"+{line}" for line in new[new_start:new_end]]
        hunks.append({"oldStart": group[0][1] + 1, "oldLines": 0, "newStart": 0, "newLines": 0, "lines": lines})
    return hunks
