"""The plain check and jsonschema agree about every argument, for every primitive."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engram.errors import InvalidArgument
from engram.primitives.check import checked
from engram.primitives.outcome import ENVELOPE_SCHEMA
from engram.primitives.registry import PRIMITIVES

NAMES = list(PRIMITIVES)
KEYWORDS = {
    *("type", "enum", "minimum", "maximum", "minLength", "maxLength", "items", "minItems", "maxItems"),
    *("properties", "required", "additionalProperties", "description", "default"),
}
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 500),
    st.sampled_from([1.0, 2.5, -0.0, 1e30, 2**31, 2**31 + 1]),
    st.text(max_size=6),
    st.sampled_from(["", "log", "ask", "functions", "x" * 2001, "p" * 4097]),
)
VALUES = st.one_of(
    SCALARS, st.lists(SCALARS, max_size=3), st.just(["a"] * 65), st.dictionaries(st.text(), SCALARS, max_size=1)
)


def arguments_of(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Objects with the right names, and values that are often right, and some that are no objects at all."""
    right = {name: st.one_of(fitting(declared), VALUES) for name, declared in schema["properties"].items()}
    objects = st.fixed_dictionaries({}, optional={**right, "unknown": VALUES})
    complete = st.fixed_dictionaries({name: fitting(schema["properties"][name]) for name in schema["required"]})
    return st.one_of(objects, st.builds(lambda a, b: {**a, **b}, objects, complete), VALUES)


def fitting(declared: dict[str, Any]) -> st.SearchStrategy[Any]:
    if "enum" in declared:
        return st.sampled_from(declared["enum"])
    return {
        "string": st.text(min_size=declared.get("minLength", 0), max_size=8),
        "integer": st.integers(declared.get("minimum", 0), min(declared.get("maximum", 9), 99)),
        "boolean": st.booleans(),
        "array": st.lists(st.text(min_size=1, max_size=4), max_size=2),
    }[declared["type"]]


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
@settings(max_examples=150, deadline=None)
def test_plain_check_and_json_schema_agree(name: str, data: st.DataObject) -> None:
    schema = dict(PRIMITIVES[name].arguments)
    arguments = data.draw(arguments_of(schema))
    valid = jsonschema.Draft202012Validator(schema).is_valid(arguments)
    try:
        taken = checked(schema, arguments)
    except InvalidArgument:
        assert not valid
        return
    assert valid
    assert {field: taken[field] for field in arguments} == arguments
    assert all(
        taken[field] == declared["default"]
        for field, declared in schema["properties"].items()
        if "default" in declared and field not in arguments
    )


@pytest.mark.parametrize("name", NAMES)
def test_schemas_are_valid_and_use_what_the_plain_check_knows(name: str) -> None:
    primitive = PRIMITIVES[name]
    for schema in (primitive.arguments, primitive.data, ENVELOPE_SCHEMA):
        jsonschema.Draft202012Validator.check_schema(schema)
    assert set(primitive.arguments) <= KEYWORDS
    for declared in primitive.arguments["properties"].values():
        assert set(declared) <= KEYWORDS
        assert set(declared.get("items", {})) <= KEYWORDS


def test_whole_floats_become_integers() -> None:
    schema = PRIMITIVES["read"].arguments
    taken = checked(schema, {"file": "a", "from": 1.0, "to": 2})
    assert taken == {"file": "a", "from": 1, "to": 2, "secrets": False}
    assert type(taken["from"]) is int
