from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from engram.model import Location, Map, RankedFile
from engram.render.map import MAX_CHARACTERS, MAX_LINES, explain_map, map_to_wire, render_map

PLACE = Location(
    "src/click/types.py", 406, 424, "Choice.normalize_choice", "method", 2.5, ("its name is written (0.30)",)
)
FOUND = Map(
    "high",
    (PLACE, PLACE.replace(start=495, end=515, qualname="Choice.shell_complete")),
    (RankedFile("src/click/types.py", 3.0),),
    ("tests/test_types/test_Choice.py",),
    1_760_000_000.0,
    ("src/click/core.py",),
)
_texts = st.text(st.characters(), max_size=300)
_lines = st.integers(0, 10**9)
_places = st.builds(Location, _texts, _lines, _lines, _texts, _texts, st.floats(0, 9), st.tuples(_texts))
_maps = st.builds(
    Map,
    _texts,
    st.lists(_places, max_size=60).map(tuple),
    st.lists(st.builds(RankedFile, _texts, st.floats(0, 9)), max_size=60).map(tuple),
    st.lists(_texts, max_size=9).map(tuple),
    st.floats(0, 2e9),
    st.lists(_texts, max_size=9).map(tuple),
)


def test_the_map_has_its_shape() -> None:
    assert render_map(FOUND) == (
        "[engram] Likely locations for this task (code graph, confidence high):\n"
        "- src/click/types.py:406-424 Choice.normalize_choice\n"
        "- src/click/types.py:495-515 Choice.shell_complete\n"
        "Tests: tests/test_types/test_Choice.py"
    )


@given(_maps)
def test_no_map_is_longer_than_its_bounds(found: Map) -> None:
    text = render_map(found)
    assert len(text) <= MAX_CHARACTERS
    assert len(text.splitlines()) <= MAX_LINES
    assert text.startswith("[engram]")


@given(_maps)
def test_every_map_has_a_wire_form_and_an_explanation(found: Map) -> None:
    wire = json.loads(json.dumps(map_to_wire(found)))
    assert list(wire) == ["confidence", "locations", "files", "tests", "indexedAt", "stale"]
    assert len(wire["locations"]) == len(found.locations)
    assert explain_map(found).startswith("confidence")


def test_the_wire_form_is_complete() -> None:
    wire = map_to_wire(FOUND)
    assert wire["locations"][0] == {
        "file": "src/click/types.py",
        "start": 406,
        "end": 424,
        "qualname": "Choice.normalize_choice",
        "kind": "method",
        "score": 2.5,
        "why": ["its name is written (0.30)"],
    }
    assert wire["indexedAt"] == "2025-10-09T08:53:20Z"
    assert wire["files"] == [{"path": "src/click/types.py", "score": 3.0}]
    assert wire["stale"] == ["src/click/core.py"]


def test_the_explanation_names_evidence_and_what_was_left_out() -> None:
    text = explain_map(FOUND)
    assert "its name is written" in text
    assert "left out: src/click/core.py" in text


def test_files_stand_in_where_no_definition_fits_and_a_sentence_where_nothing_does() -> None:
    assert "- src/click/types.py" in render_map(FOUND.replace(locations=()))
    assert render_map(FOUND.replace(locations=(), files=())) == "[engram] No place in this repository fits the text."
