"""Values as Cypher literals: the parameters of a query travel as a text before it (`CYPHER name=value ... query`).

FalkorDB has no other way to pass them, see https://docs.falkordb.com/cypher/ (Parameters).
"""

from __future__ import annotations

from engram.errors import QueryRefused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    type Parameter = bool | int | float | str | Sequence[Parameter] | Mapping[str, Parameter] | None

_MIN_INT, _MAX_INT = -(1 << 63), (1 << 63) - 1  # the engine clamps what is beyond, without a word
_MIN_NORMAL = 2.2250738585072014e-308  # IEEE 754 binary64; the engine answers smaller ones with "Float overflow"
_INF = float("inf")


def encode(params: Mapping[str, Parameter]) -> str:
    """The header that sets `params`, with a space at its end; "" for none.  Safe for every text.

    NUL is left out of texts, because the engine ends a text there; floats keep 15 digits on their way back.
    Raises QueryRefused for what Cypher cannot hold: infinities, NaN, integers beyond 64 bits, other types.
    """
    if not params:
        return ""
    return "CYPHER " + " ".join([f"{_name(name)}={literal(value)}" for name, value in params.items()]) + " "


def literal(value: Parameter) -> str:
    """One value as Cypher text."""
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\x00", "") + '"'
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        if not _MIN_INT <= value <= _MAX_INT:
            raise QueryRefused(f"{value} does not fit into 64 bits")
        return str(int(value))
    if isinstance(value, float):
        return _float(value)
    if isinstance(value, list | tuple):
        return "[" + ",".join([literal(item) for item in value]) + "]"
    if isinstance(value, dict):
        return "{" + ",".join([f"{_name(name)}:{literal(item)}" for name, item in value.items()]) + "}"
    raise QueryRefused(f"a {type(value).__name__} cannot be a parameter of a query")


def _float(value: float) -> str:
    if value != value or value in (_INF, -_INF):
        raise QueryRefused(f"{value} cannot be a parameter of a query")
    return repr(float(value)) if abs(value) >= _MIN_NORMAL else "0.0"


def _name(name: str) -> str:
    if not (name.isascii() and name.isidentifier()):
        raise QueryRefused(f"{name!r} cannot name a parameter")
    return name
