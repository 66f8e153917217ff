"""JSON through the C parts of the standard library alone.

`import json` costs 8 ms, as long as Python needs to start, because it loads `re`; a hook that appends one line
cannot afford that.  `_json` is what `json` itself runs on, so the output is the same (a property test compares).
"""

from __future__ import annotations

from _json import encode_basestring_ascii, make_encoder, make_scanner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

_WHITESPACE = " \t\n\r"  # RFC 8259, section 2


def _refuse_type(value: object) -> NoReturn:
    raise TypeError(f"{type(value).__name__} has no JSON form")


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


class _Options:
    strict = True
    object_hook = None
    object_pairs_hook = None
    array_hook = None  # asked for from Python 3.15 on
    parse_float = float
    parse_int = int
    parse_constant = staticmethod(_refuse_constant)
    memo: dict[str, str] = {}  # noqa: RUF012  (the scanner reads attributes of this class, which has no instance)


_scan = make_scanner(_Options)  # type: ignore[arg-type]
_encode: Any = make_encoder(None, _refuse_type, encode_basestring_ascii, None, ":", ",", True, False, False)


def dumps(value: object) -> str:
    """The canonical JSON of a value: keys sorted, no spaces, ASCII only.

    Equal to `json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)`.  Raises TypeError for a
    value without a JSON form, ValueError for NaN and the infinities.
    """
    return "".join(_encode(value, 0))


def loads(text: str) -> Any:
    """The value that a JSON text stands for; NaN and the infinities are no JSON.  Raises ValueError."""
    stripped = text.strip(_WHITESPACE)
    try:
        value, end = _scan(stripped, 0)
    except StopIteration:
        raise ValueError("not JSON") from None
    if end != len(stripped):
        raise ValueError(f"not JSON: more text after the value, at {end}")
    return value
