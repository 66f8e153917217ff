"""What `--compact` replies hold, as Python values.

Every value comes as [type, value]: https://docs.falkordb.com/design/client-spec.html.  Nodes and edges name their
labels, types and properties by number; `Names` holds the tables for these, which only a caller who asks for whole
nodes needs.
"""

from __future__ import annotations

from engram.errors import StoreError
from engram.model import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_STRING, _INTEGER, _BOOLEAN, _DOUBLE, _ARRAY, _EDGE, _NODE, _PATH, _MAP = 2, 3, 4, 5, 6, 7, 8, 9, 10
_UNIT_POINT, _VECTOR = 11, 12


class Names(Value):
    """The numbered names of one graph: labels of nodes, types of edges, names of properties."""

    labels: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    properties: tuple[str, ...] = ()


class Table(Value):
    """The answer to one query: `columns` names what each row holds."""

    columns: tuple[str, ...]
    rows: list[list[Any]]


def decode_table(reply: Any, names: Names | None = None) -> Table:
    """The table in the reply to a query; no columns where the query returns nothing.

    Raises StoreError for whole nodes and edges where no `names` are given.
    """
    if len(reply) < 3:
        return Table((), [])
    header, rows, _ = reply
    columns = tuple([text(name) for _, name in header])
    return Table(columns, [[decode(cell, names) for cell in row] for row in rows])


def decode(cell: Any, names: Names | None = None) -> Any:
    """One [type, value] as None, bool, int, float, str, list or dict."""
    kind, value = cell
    if kind == _STRING:
        return value.decode("utf-8", "surrogatepass")
    if kind == _ARRAY:
        return [decode(item, names) for item in value]
    if kind == _DOUBLE:
        return float(value)
    if kind == _BOOLEAN:
        return value == b"true"
    if kind == _MAP:
        return {text(value[i]): decode(value[i + 1], names) for i in range(0, len(value), 2)}
    if kind in (_UNIT_POINT, _VECTOR):
        return [float(number) for number in value]
    if kind in (_NODE, _EDGE, _PATH):
        return _entity(kind, value, names)
    return value  # null, an integer, or a time in seconds


def _entity(kind: int, value: Any, names: Names | None) -> Any:
    if names is None:
        raise StoreError("the query returns whole nodes or edges", "return their properties instead")
    if kind == _NODE:
        _, labels, properties = value
        return {"labels": [names.labels[i] for i in labels], **_properties(properties, names)}
    if kind == _EDGE:
        _, number, source, target, properties = value
        return {"type": names.types[number], "from": source, "to": target, **_properties(properties, names)}
    nodes, edges = (decode(part, names) for part in value)
    return {"nodes": nodes, "edges": edges}


def _properties(rows: Any, names: Names) -> dict[str, Any]:
    return {"properties": {names.properties[number]: decode([kind, value], names) for number, kind, value in rows}}


def text(raw: bytes | str) -> str:
    """A name or a status of a reply as text."""
    return raw if isinstance(raw, str) else raw.decode("utf-8", "surrogatepass")
