"""JSON without `json` gives what `json` gives."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engram.journal.jsonlight import dumps, loads

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=())),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)


@settings(deadline=None)
@given(VALUES)
def test_writes_what_json_writes(value: object) -> None:
    assert dumps(value) == json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


@settings(deadline=None)
@given(VALUES, st.sampled_from([None, 1, "\t"]), st.booleans())
def test_reads_what_json_writes(value: object, indent: object, ascii_only: bool) -> None:
    assert loads(json.dumps(value, indent=indent, ensure_ascii=ascii_only)) == value


@settings(deadline=None)
@given(st.text(st.sampled_from('{}[]",:\\tfalsn01eE.+- \n'), max_size=12))
def test_refuses_what_json_refuses(text: str) -> None:
    try:
        expected = json.loads(text)
    except ValueError:
        with pytest.raises(ValueError):  # noqa: PT011  (whatever the words)
            loads(text)
    else:
        assert loads(text) == expected


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_knows_no_constants_that_json_invented(value: float) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        dumps(value)
    with pytest.raises(ValueError, match="is not JSON"):
        loads(json.dumps(value))


def test_refuses_values_without_a_form() -> None:
    with pytest.raises(TypeError, match="bytes has no JSON form"):
        dumps({"a": b"x"})
