"""Parameters: whatever text there is goes to the engine and comes back as it was, and never becomes a query."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from engram.errors import QueryRefused
from engram.store.cypher import encode
from engram.store.graph import Graph
from engram.store.wire import Connection

FIXTURE_IS_SHARED = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)

texts = st.text(st.characters(exclude_characters="\x00"))
hostile = st.sampled_from(
    [
        "\\",
        '"',
        "'",
        '\\"',
        "\\\\",
        "`",
        "$x",
        "} RETURN 1 //",
        '" MATCH (n) DETACH DELETE n //',
        "\r\n",
        "\u2028",
        "x/*\n*/yz",
        "*/",
    ]
)
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(1 << 63), (1 << 63) - 1),
    texts,
    st.lists(hostile, min_size=1).map("".join),
)
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=4), max_leaves=12)


@FIXTURE_IS_SHARED
@given(values)
@example("\ud800 and \udcff: a file name that is not UTF-8")
@example("\x01\x1b\x7f\ufeff")
@example(["", [], [[""]]])
def test_every_value_comes_back_as_it_went(connection: Connection, value: Any) -> None:
    assert Graph(connection, "cypher").write("RETURN $value, 'end'", {"value": value}) == [[value, "end"]]


@FIXTURE_IS_SHARED
@given(st.floats(-1e308, 1e308))
@example(5e-324)
@example(-0.0)
def test_floats_come_back_with_15_digits(connection: Connection, value: float) -> None:
    [[back]] = Graph(connection, "cypher").write("RETURN $value", {"value": value})
    assert isinstance(back, float)
    assert math.isclose(back, value, rel_tol=1e-14, abs_tol=3e-308)


@FIXTURE_IS_SHARED
@given(st.dictionaries(st.from_regex(r"[a-z_][a-z0-9_]{0,8}", fullmatch=True), scalars, max_size=4))
def test_maps_come_back_with_their_keys(connection: Connection, value: dict[str, Any]) -> None:
    [[back]] = Graph(connection, "cypher").write("RETURN $value", {"value": value})
    assert back == value


def test_text_can_be_stored_and_found_again(connection: Connection) -> None:
    graph = Graph(connection, "cypher-stored")
    text = "".join(map(chr, range(1, 0x300))) + "\\" * 3 + '"' * 3
    graph.write("CREATE (n:T {text: $text})", {"text": text})
    assert graph.read("MATCH (n:T {text: $text}) RETURN n.text", {"text": text}) == [[text]]


def test_nul_is_left_out() -> None:
    assert encode({"a": "x\x00y"}) == 'CYPHER a="xy" '


def test_no_parameters_need_no_header() -> None:
    assert encode({}) == ""


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan, 1 << 63, -(1 << 63) - 1, b"bytes", {1, 2}, object()])
def test_what_cypher_cannot_hold_is_refused(value: Any) -> None:
    with pytest.raises(QueryRefused):
        encode({"value": [value]})


@pytest.mark.parametrize("name", ["", "a b", "a`b", "1a", "ü", "a=1 b"])
def test_what_cannot_name_a_parameter_is_refused(name: str) -> None:
    with pytest.raises(QueryRefused):
        encode({name: 1})
