"""The plain check of arguments against their JSON Schema, without the package jsonschema (0.4 s to import).

Of JSON Schema it knows what the primitives declare: type, enum, minimum, maximum, minLength, maxLength, items,
minItems, maxItems, properties, required and additionalProperties.  A test runs jsonschema beside it.
"""

from __future__ import annotations

from engram.errors import InvalidArgument

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

NAMES = {"string": "a text", "integer": "a whole number", "boolean": "true or false", "array": "a list"}


def checked(schema: Mapping[str, Any], arguments: object) -> dict[str, Any]:
    """`arguments` with the defaults of `schema` filled in, and whole floats as int.

    Raises InvalidArgument, which names the argument and what it may be.
    """
    if not isinstance(arguments, dict):
        raise InvalidArgument("the arguments are not an object")
    properties = schema["properties"]
    for name in arguments:
        if name not in properties:
            raise InvalidArgument(f"no argument {shown(name)} here", f"there are: {', '.join(properties)}")
    for name in schema.get("required", ()):
        if name not in arguments:
            raise InvalidArgument(f"{name} is missing")
    given = {name: _value(name, properties[name], value) for name, value in arguments.items()}
    defaults = {name: declared["default"] for name, declared in properties.items() if "default" in declared}
    return {**defaults, **given}


def shown(value: object) -> str:
    """`value` for an error message: quoted, escaped, and cut at 80 characters."""
    text = ascii(value)
    return text if len(text) <= 80 else text[:77] + "..."


def _value(name: str, declared: Mapping[str, Any], value: Any) -> Any:
    if not _has_type(declared["type"], value):
        raise InvalidArgument(f"{name} must be {NAMES[declared['type']]}, not {shown(value)}")
    if "enum" in declared and value not in declared["enum"]:
        raise InvalidArgument(f"{name} must be one of {', '.join(declared['enum'])}, not {shown(value)}")
    if declared["type"] == "integer":
        return _number(name, declared, int(value))
    if declared["type"] == "string":
        _length(name, "characters", declared.get("minLength", 0), declared.get("maxLength"), len(value))
    if declared["type"] == "array":
        _length(name, "entries", declared.get("minItems", 0), declared.get("maxItems"), len(value))
        return [_value(name, declared["items"], item) for item in value]
    return value


def _has_type(kind: str, value: object) -> bool:
    if kind == "integer":  # JSON Schema 2020-12, 6.1.1: a number without a fraction is an integer, a boolean is not
        return (isinstance(value, int) and not isinstance(value, bool)) or (
            isinstance(value, float) and value.is_integer()
        )
    return isinstance(value, {"string": str, "boolean": bool, "array": list}[kind])


def _number(name: str, declared: Mapping[str, Any], value: int) -> int:
    low, high = declared.get("minimum"), declared.get("maximum")
    if (low is not None and value < low) or (high is not None and value > high):
        bounds = f"{low} or more" if high is None else f"at most {high}" if low is None else f"{low} to {high}"
        raise InvalidArgument(f"{name} must be {bounds}, not {shown(value)}")
    return value


def _length(name: str, unit: str, low: int, high: int | None, length: int) -> None:
    if length < low:
        raise InvalidArgument(f"{name} is empty" if low == 1 else f"{name} must have at least {low} {unit}")
    if high is not None and length > high:
        raise InvalidArgument(f"{name} has {length} {unit}, at most {high} are taken")
